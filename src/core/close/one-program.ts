import { isUsual, programName, programOf, SHELLS } from '../sight/program.ts';
import { wordsOfLine } from '../sight/start-command.ts';
import { words } from '../text/words.ts';

/** The one program that a command plainly is. */
export interface OneProgram {
  readonly words: readonly string[];
  /** The lines that a shell was given on the way to it: where the shell stays in front of it, it was given one of these. */
  readonly lines: readonly string[];
}

/** What a line, run by a shell, is; null where it may be several programs. */
export function programInLine(line: string): OneProgram | null {
  if (isSeveral(line)) return null;
  const one = programInWords(wordsOfLine(line));
  return one && { ...one, lines: [line, ...one.lines] };
}

/** What words are that no shell divides. Whoever gets a word may read it as a line, so each has to be plain. */
export function programInWords(all: readonly string[]): OneProgram | null {
  const words = afterCarriers(all);
  const [first, ...more] = words;
  if (first === undefined || words.some(isSeveral)) return null;
  if (isLineOfShell(words)) return programInShell(words);
  const inner = more.findIndex(isNamedShell);
  return inner !== -1 && programInWords(more.slice(inner)) === null ? null : { words, lines: [] };
}

// Whatever divides commands or makes up words, also inside quotes: whether somebody reads it once more is not known.
function isSeveral(text: string): boolean {
  return /[;&|\n`(){}]|\$(?!\s|$)/.test(text.replace(/\d*>&[\d-]+/g, ''));
}

// They become what follows them. Of their options only those are known that are plainly no program.
const CARRIERS = new Set(['exec', 'command', 'env', 'nohup', 'setsid', 'nice']);
const NO_PROGRAM = /^(?:--|-i|-n|-?\d+)$/;
// Of these variables a shell runs a file when it starts.
const VARIABLE = /^(?!(?:ENV|BASH_ENV|ZDOTDIR)=)[A-Za-z_]\w*=/;

/** The words behind those that only set variables or priority, or leave the terminal. */
export function afterCarriers(words: readonly string[]): readonly string[] {
  const isBefore = (word: string) =>
    CARRIERS.has(programName(word)) || NO_PROGRAM.test(word) || VARIABLE.test(word);
  const at = words.findIndex((word) => !isBefore(word));
  return at === -1 ? [] : words.slice(at);
}

function isNamedShell(word: string): boolean {
  return SHELLS.has(programName(word));
}

function isLineOfShell(words: readonly string[]): boolean {
  return isNamedShell(words[0] as string) && programOf('', words, () => null).role === 'wrapper';
}

// `bash -lc LINE`, with options that take no value. A second line may stand behind another option (`fish -c a -c b`).
function programInShell(words: readonly string[]): OneProgram | null {
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  const [line = '', ...more] = words.slice(at + 1);
  const isPlain = words.slice(1, at).every((word) => /^--?[a-z]+$/.test(word));
  const isOnly = ![line, ...more].some((word) => word.startsWith('-'));
  return at !== -1 && isPlain && isOnly ? programInLine(line) : null;
}

/** None of their options does anything but choose what is shown. */
const VIEWERS = new Set(words('less more most tail top htop btop'));
/** They edit for a person, or show through another program: some of their options run commands. */
const EDITORS = new Set(words('vi vim nvim view nano pico micro hx helix kak joe emacs man info'));

// `less +!deploy` and `vim +deploy` run commands.
const VIEWS = /^(?:[^+]|\+[\dFG]*$)/;
const EDITS = /^(?:[^+-]|--$|\+\d*$|-[RMnOopd]\d*$|-nw$)/;
// A variable may name a program that is run (`MANPAGER=deploy man x`), a redirection may type into an editor or write a file.
const MORE = /[<>]|(?:^|[\s'"])[A-Za-z_]\w*=/;
/**
 * Whether a command plainly is one program that only shows or edits something for a person, so that it may run once more
 * although it may have ended. By its exact name, as tmux-resurrect does it; a program of that name in a folder of one's own
 * may do anything. `all`: the command as it was given.
 */
export function onlyShows(one: OneProgram | null, all: readonly string[]): boolean {
  const [first = '', ...more] = one?.words ?? [];
  const lead = all.join(' ').trim().replace(/\s.*$/s, '');
  if (all.some((word) => MORE.test(word)) || !isUsual(first) || !isUsual(lead)) return false;
  const name = programName(first);
  if (VIEWERS.has(name)) return more.every((word) => VIEWS.test(word));
  return EDITORS.has(name) && more.every((word) => EDITS.test(word));
}

/** The program of a command as tmux takes it: one word is a line for a shell. */
export function commandShown(command: readonly string[]): string {
  const [first = ''] = command.length === 1 ? wordsOfLine(command[0] as string) : command;
  return programShown(first);
}

/**
 * The name of a program by the first word of its command line, for text that is shown and recorded. Arguments may hold secrets
 * that look like nothing, so none is shown; neither is what stands before a program in a line (`KEY=… serve`).
 */
export function programShown(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1);
  return PLAIN.test(name) ? name : 'a command';
}

const PLAIN = /^[A-Za-z0-9_.][\w.+@-]{0,63}$/;
