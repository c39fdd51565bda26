import type { ShellSighting } from '../sight/sighting.ts';
import { escaped, machineOf, nameOf, oneOf, pathsOf } from './words.ts';

type SeenShell = Extract<ShellSighting, { state: 'seen' }>;

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

const BASH: Language = {
  // What bash is told to take up no room, colours, Debian's chroot, the last status, any other escape. A `$` before
  // anything else than a blank or a bracket runs or reads something.
  piece:
    /^(?:\\\[.*?\\\]|(?:\\e|\\033)\[[\d;]*m|\$\{debian_chroot:\+\(\$debian_chroot\)\}|\$\?|\\.|\$(?=[\s\])>\\]|$)|[^\\$`])/su,
  shows: {
    ...{ '\\u': USER, '\\h': MACHINE, '\\H': HOST, '\\w': PATH, '\\W': NAME, '\\$': always('[$#]') },
    ...{
      '\\t': CLOCK,
      '\\T': CLOCK,
      '\\A': CLOCK,
      '\\@': CLOCK,
      '\\j': NUMBER,
      '\\!': NUMBER,
      '\\#': NUMBER,
    },
    ...{
      '\\s': always('-?r?(?:bash|sh)'),
      '\\v': always('\\d+\\.\\d+'),
      '\\V': always('\\d+\\.\\d+\\.\\d+'),
    },
    ...{ '\\\\': always('\\\\'), '$?': NUMBER },
  },
};

const ZSH: Language = {
  // The same: `%{…%}`, colours, escapes with a number, and any other.
  piece: /^(?:%\{.*?%\}|%[FK](?:\{[^}]*\})?|%\d*[^(\d{]|\$(?=[\s\])>%]|$)|[^%$`])/su,
  shows: {
    ...{ '%n': USER, '%m': MACHINE, '%M': HOST, '%~': PATH, '%/': PATH, '%d': PATH },
    ...{ '%1~': NAME, '%c': NAME, '%.': NAME, '%C': NAME, '%#': always('[%#]'), '%%': always('%') },
    ...{ '%?': NUMBER, '%j': NUMBER, '%h': NUMBER, '%!': NUMBER },
    ...{ '%*': CLOCK, '%T': CLOCK, '%t': CLOCK, '%@': CLOCK },
    ...{ '%f': NOTHING, '%k': NOTHING, '%B': NOTHING, '%b': NOTHING, '%U': NOTHING, '%u': NOTHING },
  },
};

/**
 * The pattern of what a shell shows for a prompt that it was given in `PS1`, its last line. Null where that is not
 * understood: it runs something, or tells what rollcall does not know.
 */
export function givenPattern(given: string, program: string, shell: SeenShell): RegExp | null {
  const language = program === 'zsh' ? ZSH : BASH;
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
