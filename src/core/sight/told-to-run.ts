const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

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
  readonly values: ReadonlySet<string>;
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
    if (values.has(word)) at += 1;
    else if (!isFlag(word)) return null;
  }
  return null;
}
