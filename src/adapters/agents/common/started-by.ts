import { programName } from '../../../core/sight/program.ts';

/** How one kind of agent is started: the exact names of its program, and the package its script lives in. */
export interface StartSignature {
  readonly programs: readonly string[];
  readonly packages: readonly string[];
}

const INTERPRETER = /^(?:node|nodejs|bun|deno|python[\d.]*|sh|bash|dash|zsh)$/;
// Where installers put a program's link or its wrapper script; `local` is Claude Code's own.
const BIN_FOLDER = /\/(?:bin|\.bin|sbin|local)\/[^/]+$/;
// Flags of the interpreters that take the next word.
const TAKES_A_WORD = new Set(
  '-r --require --import --loader -C --conditions --env-file -W -X -o -O'.split(' '),
);

/**
 * Whether a command line is the program itself, or an interpreter that runs its link in a bin folder or a script of its
 * package. Words that merely contain the name (a folder, a file that is edited) are never at these places.
 */
export function isStartedBy(argv: readonly string[], signature: StartSignature): boolean {
  return argumentsOf(argv, signature) !== null;
}

/** The words that the program itself was given, behind an interpreter too; null when it is another program. */
export function argumentsOf(argv: readonly string[], { programs, packages }: StartSignature) {
  const first = programName(argv[0] ?? '');
  if (programs.includes(first)) return argv.slice(1);
  if (!INTERPRETER.test(first)) return null;
  const at = scriptIndex(argv);
  const script = argv[at];
  if (script === undefined) return null;
  const isModule = argv[1] === '-m' && first.startsWith('python');
  const isLink = BIN_FOLDER.test(script) && programs.includes(programName(script));
  const isScript = packages.some((name) => script.includes(`/node_modules/${name}/`));
  return (isModule ? programs.includes(script) : isLink || isScript) ? argv.slice(at + 1) : null;
}

function scriptIndex(argv: readonly string[]): number {
  return argv.findIndex(
    (word, index) => index > 0 && !word.startsWith('-') && !TAKES_A_WORD.has(argv[index - 1] ?? ''),
  );
}
