import type { ShellSighting } from '../sight/sighting.ts';

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

/** What one escape shows, as a pattern; null where the fact behind it is not known. */
type Shows = (shell: SeenShell) => string | null;

/** How one shell writes prompts: pieces that stand for something, and what they show. */
interface Language {
  readonly piece: RegExp;
  readonly shows: Readonly<Record<string, Shows>>;
}

const always = (pattern: string) => (): string => pattern;
const NUMBER = always('\\d+');
const CLOCK = always('[ \\d]?\\d:\\d\\d(?::\\d\\d)?(?: ?[AaPp][Mm])?');
const NOTHING = always('');
const USER: Shows = ({ user }) => user && escaped(user);
const MACHINE: Shows = ({ host }) => escaped(machineOf(host));
const HOST: Shows = ({ host }) => escaped(host);
const PATH: Shows = ({ cwd, home }) => cwd && oneOf(pathsOf(cwd, home));
const NAME: Shows = ({ cwd, home }) => cwd && oneOf(cwd === home ? ['~', nameOf(cwd)] : [nameOf(cwd) || '/']);

// Several pieces that show the same.
const each = (shows: Shows, ...pieces: readonly string[]) =>
  Object.fromEntries(pieces.map((piece) => [piece, shows]));

const BASH: Language = {
  // What bash is told to take up no room, colours, Debian's chroot, the last status, any other escape. A `$` before
  // anything else than a blank or a bracket runs or reads something.
  piece:
    /^(?:\\\[.*?\\\]|(?:\\e|\\033)\[[\d;]*m|\$\{debian_chroot:\+\(\$debian_chroot\)\}|\$\?|\\.|\$(?=[\s\])>\\]|$)|[^\\$`])/su,
  shows: {
    ...{ '\\u': USER, '\\h': MACHINE, '\\H': HOST, '\\w': PATH, '\\W': NAME, '\\$': always('[$#]') },
    ...each(CLOCK, '\\t', '\\T', '\\A', '\\@'),
    ...each(NUMBER, '\\j', '\\!', '\\#', '$?'),
    '\\s': always('-?r?(?:bash|sh)'),
    '\\v': always('\\d+\\.\\d+'),
    '\\V': always('\\d+\\.\\d+\\.\\d+'),
    '\\\\': always('\\\\'),
  },
};

const ZSH: Language = {
  // The same: `%{…%}`, colours, escapes with a number, and any other.
  piece: /^(?:%\{.*?%\}|%[FK](?:\{[^}]*\})?|%\d*[^(\d{]|\$(?=[\s\])>%]|$)|[^%$`])/su,
  shows: {
    ...{ '%n': USER, '%m': MACHINE, '%M': HOST, '%#': always('[%#]'), '%%': always('%') },
    ...each(PATH, '%~', '%/', '%d'),
    ...each(NAME, '%1~', '%c', '%.', '%C'),
    ...each(NUMBER, '%?', '%j', '%h', '%!'),
    ...each(CLOCK, '%*', '%T', '%t', '%@'),
    ...each(NOTHING, '%f', '%k', '%B', '%b', '%U', '%u'),
  },
};

/**
 * The pattern of what a shell shows for a prompt that it was given in `PS1`, its last line. Null where that is not
 * understood: it runs something, or tells what rollcall does not know.
 */
export function givenPattern(given: string, program: string, shell: SeenShell): RegExp | null {
  const language = program === 'zsh' ? ZSH : BASH;
  if (given.length > LONGEST_GIVEN) return null;
  let pattern = '';
  for (let rest = lastLine(given, language); rest !== ''; ) {
    const [piece] = language.piece.exec(rest) ?? [];
    const shown = piece === undefined ? null : patternOf(piece, language, shell);
    if (piece === undefined || shown === null) return null;
    pattern += shown;
    rest = rest.slice(piece.length);
  }
  return new RegExp(`^${pattern}$`, 'u');
}

/** Nobody writes a longer one; what is made of an environment may be megabytes. */
const LONGEST_GIVEN = 8192;

function lastLine(given: string, language: Language): string {
  return given.split(language === BASH ? /\\n|\n/ : /\n/).at(-1) as string;
}

function patternOf(piece: string, { shows }: Language, shell: SeenShell): string | null {
  const known = shows[piece];
  if (known !== undefined) return known(shell);
  if (/^.$/su.test(piece)) return escaped(piece);
  if (piece.startsWith('${')) return '(?:\\([\\w.-]{1,100}\\))?';
  const isUnseen = /^(?:\\\[|\\e\[|\\033\[|%\{|%[FK])/.test(piece);
  return isUnseen ? '' : null;
}

/** A folder as prompts write it: whole, below the home folder, and with fish's single letters. */
export function pathsOf(cwd: string, home: string | null): string[] {
  const isHome = home !== null && home !== '/' && (cwd === home || cwd.startsWith(`${home}/`));
  const short = isHome ? `~${cwd.slice(home.length)}` : cwd;
  const letters = short.replace(/(?<=^|\/)(\.?[^/~])[^/]*(?=\/)/gu, '$1');
  return [cwd, short, letters];
}

/** The last part of a folder's path. */
export function nameOf(cwd: string): string {
  return cwd.slice(cwd.lastIndexOf('/') + 1);
}

/** A host's name without its domain. */
export function machineOf(host: string): string {
  return host.replace(/\..*/s, '');
}

/** A pattern for one of several texts. */
export function oneOf(texts: readonly string[]): string {
  return `(?:${[...new Set(texts)].filter(Boolean).map(escaped).join('|')})`;
}

/** A pattern for exactly this text. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
