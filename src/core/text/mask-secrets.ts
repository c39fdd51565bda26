import { isSecretName, MASK, maskAssigned, maskAssignedWord } from './mask-assigned.ts';
import { visible } from './visible.ts';

/** More of one command line is never looked at: what is shown of it is far shorter. */
const MAX_LENGTH = 64 * 1024;

/**
 * The one way from a command line to text that is shown, recorded or sent: what looks like a secret in it is masked.
 * Whoever has to run the words again keeps the words.
 */
export function shownCommand(argv: readonly string[], maxLength: number): string {
  return visible(maskWords(argv).join(' '), maxLength);
}

/** Masks a command line word by word, for documents that list its words. */
export function maskWords(argv: readonly string[]): string[] {
  let isSecretNext = false;
  return argv.map((whole) => {
    const word = whole.slice(0, MAX_LENGTH);
    const isSecret = isSecretNext;
    // An empty word may be a value, or none: what follows is masked either way.
    isSecretNext = isFlagOfSecret(word) || (isSecret && word === '');
    if (isSecret) return word === '' ? word : MASK;
    return maskAssignedWord(word) ?? maskSecrets(word);
  });
}

/** Whether `maskWords` leaves these words as they are. */
export function isShowable(argv: readonly string[]): boolean {
  return maskWords(argv).every((word, index) => word === argv[index]);
}

/** What short texts were masked to: in each of its rounds a daemon shows the same ones. */
const known = new Map<string, string>();
const MOST_KNOWN = 8192;
const LONGEST_KNOWN = 256;

/** Masks what looks like a secret in any text. */
export function maskSecrets(text: string): string {
  if (text.length > LONGEST_KNOWN) return masked(text);
  const before = known.get(text);
  if (before !== undefined) return before;
  const now = masked(text);
  if (known.size >= MOST_KNOWN) known.clear();
  // A part of a long text keeps all of it in memory.
  known.set(copyOf(text), copyOf(now));
  return now;
}

function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** In linear time: every expression begins at a place that the one before cannot have been at, so that no text makes it slow. */
function masked(text: string): string {
  // A key has several lines, of which a name before it would mask the first alone. Other shapes may swallow a name.
  const assigned = maskAssigned(text.replace(PRIVATE_KEY, MASK));
  return SHAPES.reduce((rest, [shape, instead]) => rest.replace(shape, instead), maskUrls(assigned));
}

/** Also a private key that is cut off. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]{0,40}PRIVATE KEY-----|[\s\S]*)/g;

/** `scheme://user:password@host`. A password may hold anything, so the last @ of the word ends it. */
function maskUrls(text: string): string {
  return text.replace(/(?<=:\/\/)\S+/g, (word) => {
    const end = word.lastIndexOf('@');
    // There may be several addresses in one word.
    for (let at = -3; at !== -1 && at < end; at = word.indexOf('://', at + 3)) {
      USER.lastIndex = at + 3;
      if (USER.test(word) && USER.lastIndex < end) {
        return word.slice(0, USER.lastIndex) + MASK + word.slice(end);
      }
    }
    return word;
  });
}

// A number before a path is a port, and no password.
const USER = /[^\s/:["'`]*:(?!\d{1,5}(?:[^\w@:.%+-]|$))/y;

/** `--token` and the like, whose value is the next word. */
function isFlagOfSecret(word: string): boolean {
  return /^--?[A-Za-z][\w.-]{0,63}$/.test(word) && isSecretName(word);
}

/** Begins where no letter, digit, _ or - stands before it. */
const shape = (source: string, flags = 'g'): RegExp => new RegExp(`(?<![\\w-])(?:${source})`, flags);

/** What secrets look like by themselves, and what is left of each. */
const SHAPES: readonly (readonly [shape: RegExp, instead: string])[] = [
  // A token in the place of the user.
  [/:\/\/[^\s/@:]{20,256}@/g, `://${MASK}@`],
  // Tokens of web services: header, content and signature.
  [shape('eyJ[\\w-]{4,}\\.[\\w-]{4,}(?:\\.[\\w-]*)?'), MASK],
  // OpenAI, Anthropic, Stripe and others.
  [shape('(?:sk|pk|rk)[-_](?=[\\w-]*\\d)[\\w-]{12,}'), MASK],
  [shape('(?:gh[a-z]_|github_pat_|glpat-|gldt-|npm_|hf_|pypi-|dop_v1_|shpat_|xai-|gsk_)[\\w-]{12,}'), MASK],
  [shape('xox[a-z]-[\\w-]{8,}|xapp-[\\w-]{8,}'), MASK],
  [shape('A(?:KIA|SIA)[A-Z0-9]{12,}'), MASK],
  [shape('AIza[\\w-]{30,}|ya29\\.[\\w-]{12,}|SG\\.[\\w-]{12,}\\.[\\w-]{12,}'), MASK],
  [shape('(bearer)[ \\t]{1,64}[\\w.~+/=-]{8,}', 'gi'), `$1 ${MASK}`],
];

/** Shorter ones are in any text. */
const SHORTEST = 4;

/** Hides what somebody gave a program with `--env`, whatever it looks like: a program may print what it has. */
export function maskValues(text: string, values: readonly string[]): string {
  const parts = values.flatMap((value) => value.split('\n')).map((part) => part.trim());
  const hidden = parts.filter((part) => part.length >= SHORTEST);
  // A value may be the beginning of another.
  return hidden.sort((a, b) => b.length - a.length).reduce((rest, one) => rest.replaceAll(one, MASK), text);
}
