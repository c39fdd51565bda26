import type { ShellSighting } from '../sight/sighting.ts';
import { givenPattern } from './template.ts';
import { escaped, machineOf, nameOf, oneOf, pathsOf } from './words.ts';

type SeenShell = Extract<ShellSighting, { state: 'seen' }>;

/**
 * Whether a shell's own facts explain a prompt: line editors also read answers (`read -e`), so it has to be a text that
 * only this shell would show. Where it was given a prompt that is understood, that is its prompt, and no other text is.
 * Elsewhere it is the one built into it, or who and where it is, unless it is known to have `another` one.
 */
export function isExplained(prompt: string, program: string, shell: SeenShell, hasAnother = false): boolean {
  const given = program === 'fish' ? null : shell.givenPrompt;
  if (prompt === given) return true;
  const pattern = given && givenPattern(given, program, shell);
  if (pattern) return pattern.test(prompt);
  if (hasAnother) return false;
  if (program === 'bash' && BUILT_IN.test(prompt)) return true;
  const end = endOf(shell);
  return placesOf(program, shell).some((place) => new RegExp(`^${place}${end}$`, 'u').test(prompt));
}

/** A prompt in which only numbers may differ: the time, a count, a status. */
export function shapeOf(prompt: string): string {
  return prompt.replace(/\d+/g, '0');
}

/** What was typed behind a prompt of this shape on these lines. */
export function typedBehind(prompt: string, lines: readonly string[]): string[] {
  const typed = new RegExp(`^${escaped(prompt).replace(/\d+/g, '\\d+')}(.*)$`, 'u');
  return lines.flatMap((line) => typed.exec(line)?.[1]?.trim() || []);
}

/** bash's own: `\s-\v\$ `. */
const BUILT_IN = /^-?r?(?:bash|sh)-\d+\.\d+[$#] $/;
// A virtual environment or chroot.
const BEFORE = '(?:\\([\\w.-]{1,100}\\) )?';
const MARK = ' ?[$#%>❯➜»λ] ?';
/** What git's own prompt adds to a branch: an operation under way, and marks of changes. */
const STANDING = '(?:\\|[A-Z-]+(?: \\d+/\\d+)?)?(?: ?[*+$%=<>]{1,6})?';

/** One mark, and before it at most the very branch: other words in brackets may be a question. */
function endOf({ branch }: SeenShell): string {
  return branch === null ? MARK : `(?: ?\\(${escaped(branch)}${STANDING}\\))?${MARK}`;
}

/** How prompts tell who and where a shell is, most of them the defaults of systems and shells. */
function placesOf(program: string, { user, host, home, cwd }: SeenShell): string[] {
  const machine = oneOf([host, machineOf(host)]);
  const paths = cwd === null ? [] : pathsOf(cwd, home);
  const folders = cwd === null ? [] : [...paths, nameOf(cwd)];
  const who = user === null ? null : `${escaped(user)}@${machine}`;
  return [
    ...(paths.length > 0 ? [oneOf(paths)] : []),
    ...(who === null ? [] : [`${BEFORE}[[(]?${who}(?:[: ]${oneOf(folders)})?[\\])]?`]),
    // zsh's own: `%m%# `.
    ...(program === 'zsh' ? [machine] : []),
  ];
}
