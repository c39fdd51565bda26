import type { ShellSighting } from './sighting.ts';

type SeenShell = Extract<ShellSighting, { state: 'seen' }>;

/**
 * Whether a shell's own facts explain a prompt: line editors also read answers (`read -e`), so it has to be a text that
 * only this shell would show. That is the prompt that it was given, its built-in one, or who and where it is.
 */
export function isExplained(prompt: string, program: string, shell: SeenShell): boolean {
  if (program !== 'fish' && prompt === shell.givenPrompt) return true;
  if (program === 'bash' && BUILT_IN.test(prompt)) return true;
  return placesOf(program, shell).some((place) => new RegExp(`^${place}${END}$`, 'u').test(prompt));
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
// A virtual environment or chroot before, a branch behind, and one mark.
const BEFORE = '(?:\\([\\w.-]{1,100}\\) )?';
const END = '(?: ?\\([^()]{1,100}\\))? ?[$#%>❯➜»λ] ?';

/** How prompts tell who and where a shell is, most of them the defaults of systems and shells. */
function placesOf(program: string, { user, host, home, cwd }: SeenShell): string[] {
  const machine = oneOf([host, host.replace(/\..*/s, '')]);
  const paths = cwd === null ? [] : pathsOf(cwd, home);
  const folders = cwd === null ? [] : [...paths, cwd.slice(cwd.lastIndexOf('/') + 1)];
  const who = user === null ? null : `${escaped(user)}@${machine}`;
  return [
    ...(paths.length > 0 ? [`${BEFORE}${oneOf(paths)}`] : []),
    ...(who === null ? [] : [`${BEFORE}[[(]?${who}(?:[: ]${oneOf(folders)})?[\\])]?`]),
    // zsh's own: `%m%# `.
    ...(program === 'zsh' ? [machine] : []),
  ];
}

/** A folder as prompts write it: whole, below the home folder, and with fish's single letters. */
function pathsOf(cwd: string, home: string | null): string[] {
  const isHome = home !== null && home !== '/' && (cwd === home || cwd.startsWith(`${home}/`));
  const short = isHome ? `~${cwd.slice(home.length)}` : cwd;
  const letters = short.replace(/(?<=^|\/)(\.?[^/~])[^/]*(?=\/)/gu, '$1');
  return [cwd, short, letters];
}

function oneOf(texts: readonly string[]): string {
  return `(?:${[...new Set(texts)].filter(Boolean).map(escaped).join('|')})`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
