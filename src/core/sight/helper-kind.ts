import { words } from '../text/words.ts';
import type { HelperKind } from '../verdict/evidence.ts';
import { programName } from './program.ts';

const LANGUAGE_SERVERS: ReadonlySet<string> = new Set(
  words(
    'typescript-language-server tsserver tsserver.js vtsls gopls rust-analyzer pyright-langserver ' +
      'pyright-langserver.js basedpyright-langserver pylsp jedi-language-server ruff-lsp clangd ccls ' +
      'lua-language-server bash-language-server yaml-language-server vscode-json-language-server ' +
      'vscode-css-language-server vscode-html-language-server vscode-eslint-language-server jdtls ' +
      'kotlin-language-server solargraph ruby-lsp intelephense phpactor omnisharp csharp-ls ' +
      'terraform-ls zls elixir-ls metals haskell-language-server ocamllsp nil nixd svelteserver ' +
      'vue-language-server astro-ls deno-lsp typingsInstaller.js',
  ),
);

const BROWSERS: ReadonlySet<string> = new Set(
  words(
    'chrome chromium chromium-browser google-chrome headless_shell chrome-headless-shell firefox msedge ' +
      'MiniBrowser pw_run.sh',
  ),
);

// A person's browser bears none of these.
const DRIVEN =
  /^(?:--headless(?:=|$)|-headless$|--remote-debugging-(?:port|pipe)(?:=|$)|--enable-automation$|-juggler)/;

/**
 * Which helper a process is; null where it is none. A name proves nothing by itself: a server of an agent also talks to it,
 * so it reads from a pipe or a socket and writes to one (`isPiped`). A browser that is driven bears flags that no person's has.
 */
export function helperKind(argv: readonly string[], isPiped: boolean): HelperKind | null {
  const kind = helperNamed(argv);
  return kind === 'browser' || isPiped ? kind : null;
}

/** Which helper a command line names, by whole words of its program's name; null where it names none. */
export function helperNamed(argv: readonly string[]): HelperKind | null {
  const names = namesIn(argv);
  if (names.some((name) => LANGUAGE_SERVERS.has(name))) return 'language server';
  if (names.some(isMcpServer) || isMcpImage(argv)) return 'MCP server';
  const isBrowser = BROWSERS.has(programName(argv[0] ?? ''));
  return isBrowser && argv.slice(1).some((word) => DRIVEN.test(word)) ? 'browser' : null;
}

/** The program, and what an interpreter or a package runner was told to run; options name nothing. */
function namesIn(argv: readonly string[]): string[] {
  const [first = '', ...rest] = argv;
  // A title that was written over the arguments is one word with blanks (`npm exec @scope/name`).
  const [program = '', ...title] = /^[^ ]*\//.test(first) ? [first] : first.split(' ');
  const script = scriptIn(programName(program), [...title, ...rest]);
  return (script === null ? [program] : [program, script]).flatMap((word) => [
    programName(word),
    packageIn(word),
  ]);
}

// `@playwright/mcp@latest` is the package `@playwright/mcp`; of a path it is what its node_modules folder names.
function packageIn(word: string): string {
  const inside = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(word)?.[1];
  return (inside ?? (word.startsWith('@') ? word : '')).replace(/(.)@[^/@]*$/, '$1');
}

// `docker run -i --rm mcp/fetch`: the image says what it is, and nothing beside it does.
function isMcpImage([program = '', command, ...words]: readonly string[]): boolean {
  if (!/^(?:docker|podman|nerdctl)$/.test(programName(program)) || command !== 'run') return false;
  const image = imageIn(words)?.replace(/(?:@|:)[^/]*$/, '') ?? '';
  return /(?:^|\/)mcp\/[^/]+$/.test(image) || isMcpServer(image.slice(image.lastIndexOf('/') + 1));
}

// `mcp` as a word of the name: `mcp-server-git`, `@playwright/mcp`, `context7-mcp`; not `mcpherson`.
function isMcpServer(name: string): boolean {
  return (
    name.startsWith('@modelcontextprotocol/server-') || /(?:^|[^A-Za-z0-9])mcp(?![A-Za-z0-9])/i.test(name)
  );
}

/**
 * What an interpreter or a package runner was told to run: a file, a module or a package; null where that is something else
 * (`npm run NAME`, `python -c CODE`), or where an option may have a value of its own that looks the same.
 */
export function scriptIn(program: string, rest: readonly string[]): string | null {
  if (INTERPRETERS.test(program))
    return firstWord(program === 'deno' ? after(rest, ['run']) : rest, INTERPRETED);
  const commands = RUNNERS.get(program);
  if (commands === undefined) return null;
  return firstWord(commands.length === 0 ? rest : after(rest, commands), PACKAGED);
}

/** The image of a container that was started to be talked to (`docker run -i …`); null where an option is not known. */
export function imageIn(rest: readonly string[]): string | null {
  const isTalkedTo = rest.some((word) => word === '-i' || word === '--interactive');
  return isTalkedTo ? firstWord(rest, CONTAINED) : null;
}

const INTERPRETERS = /^(?:node|nodejs|bun|deno|python[\d.]*)$/;

/** Package runners, with the commands by which they run a package; none where they do nothing else. */
const RUNNERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['npx', []],
  ['bunx', []],
  ['uvx', []],
  ['npm', ['exec', 'x']],
  ['pnpm', ['exec', 'dlx']],
  ['yarn', ['exec', 'dlx']],
  ['uv', ['run']],
  ['pipx', ['run']],
]);

/** How the options of a program are read. */
interface Options {
  /** Stand alone. */
  readonly isFlag: (word: string) => boolean;
  /** Have a value behind them. */
  readonly values: readonly string[];
}

const INTERPRETED: Options = {
  // Of an interpreter all others stand alone, but for code in place of a file.
  isFlag: (word) => !/^-[A-Za-z]*[cep]$|^--(?:eval|print)(?:=|$)/.test(word),
  values: words('-r --require --import --loader --experimental-loader -C --conditions -W -X'),
};

const PACKAGED: Options = {
  isFlag: (word) =>
    /^(?:-y|--yes|-q|--quiet|-s|--silent|--no-install|--prefer-offline|--offline|--isolated|--|--[a-z-]+=.*)$/.test(
      word,
    ),
  values: words('-p --package --from --with --python'),
};

const CONTAINED: Options = {
  isFlag: (word) =>
    /^(?:-i|--interactive|--rm|--init|--read-only|--privileged|--sig-proxy|-[evwplumh][^-].*)$/.test(word) ||
    /^--(?!entrypoint|detach|interactive|tty)[a-z-]+=/.test(word),
  values: words(
    '-e --env --env-file -v --volume --mount --name --network --net -w --workdir -u --user -p --publish -l --label ' +
      '--pull --platform -m --memory --cpus --add-host --dns --tmpfs --cap-add --cap-drop --security-opt -h --hostname ' +
      '--log-driver --log-opt --shm-size --userns --ulimit --runtime',
  ),
};

/** What stands behind one of these commands; nothing where another command stands there. */
function after([first, ...rest]: readonly string[], commands: readonly string[]): readonly string[] {
  return first !== undefined && commands.includes(first) ? rest : [];
}

function firstWord(rest: readonly string[], { isFlag, values }: Options): string | null {
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] as string;
    if (!word.startsWith('-')) return word;
    if (values.includes(word)) at += 1;
    else if (!isFlag(word)) return null;
  }
  return null;
}
