import { visible } from './visible.ts';

/** Stands where a secret stood. */
export const MASK = '***';

/** More of one command line is never looked at: what is shown of it is far shorter. */
const MAX_LENGTH = 64 * 1024;

/**
 * The one way from a command line to text that is shown, recorded or sent: what looks like a secret in it is masked.
 * Whoever has to run the words again keeps the words.
 */
export function shownCommand(argv: readonly string[], maxLength: number): string {
  return visible(maskWords(argv).join(' '), maxLength);
}

/** The same, word by word, for documents that have a list of them. */
export function maskWords(argv: readonly string[]): string[] {
  let isSecretNext = false;
  return argv.map((whole) => {
    const word = whole.slice(0, MAX_LENGTH);
    const isSecret = isSecretNext && !/^-./.test(word);
    isSecretNext = isFlagOfSecret(word);
    return isSecret ? MASK : maskWord(word);
  });
}

/** Whether `maskWords` leaves these words as they are. */
export function isShowable(argv: readonly string[]): boolean {
  return maskWords(argv).every((word, index) => word === argv[index]);
}

/**
 * Masks what looks like a secret in any text. In linear time: every expression begins at a place that the one before
 * cannot have been at, so that no text makes it slow.
 */
export function maskSecrets(text: string): string {
  return maskAssigned(SHAPES.reduce((rest, [shape, instead]) => rest.replace(shape, instead), text));
}

/** Masks the values of `name=value`, `name: value` and `"name": "value"` where the name says that they are secret. */
function maskAssigned(text: string): string {
  let masked = '';
  let from = 0;
  for (const { index, 0: head, 1: name = '' } of text.matchAll(HEAD)) {
    if (index < from || !isSecretName(name)) continue;
    VALUE.lastIndex = index + head.length;
    const found = VALUE.exec(text);
    if (found === null) continue;
    const [, quote = ''] = found;
    masked += `${text.slice(from, index)}${head}${quote}${MASK}${quote}`;
    from = VALUE.lastIndex;
  }
  return masked + text.slice(from);
}

const HEAD = /(?<![\w.-])([\w.-]+)"? {0,3}[=:] {0,3}/g;
const VALUE = /(["'])(?:(?!\1)[^\\\n]|\\.)+\1?|[^\s"',;&|)]+/y;

/** `--token` and the like, whose value is the next word. */
function isFlagOfSecret(word: string): boolean {
  return /^--?[A-Za-z][\w.-]{0,63}$/.test(word) && isSecretName(word);
}

// All behind the sign is the value, blanks and quotes too.
function maskWord(word: string): string {
  const [, name] = /^([\w.-]{1,64})=./.exec(word) ?? [];
  return name !== undefined && isSecretName(name) ? `${name}=${MASK}` : maskSecrets(word);
}

// The last part of a name says what it holds: `--token-file` holds a path, and `max_tokens` a number.
const SECRET_NAME =
  /(?:token|secret|password|passwd|passphrase|credentials?|api-?key|access-?key|secret-?key|private-?key|(?:^|-)(?:pass|key|auth|pat|jwt|authorization|cookie|bearer))$|-pwd$/;

function isSecretName(name: string): boolean {
  // `apiKey` and `API_KEY` are the same name as `--api-key`.
  const parts = name.slice(-64).replace(/([a-z\d])([A-Z])/g, '$1-$2');
  return SECRET_NAME.test(parts.replace(/[_.]/g, '-').toLowerCase());
}

/** Begins where no letter, digit, _ or - stands before it. */
const shape = (source: string, flags = 'g'): RegExp => new RegExp(`(?<![\\w-])(?:${source})`, flags);

/** What secrets look like by themselves, and what is left of each. */
const SHAPES: readonly (readonly [shape: RegExp, instead: string])[] = [
  // A private key, also one that is cut off.
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]{0,40}PRIVATE KEY-----|[\s\S]*)/g, MASK],
  // `scheme://user:password@host`, and a token in the place of the user.
  [/:\/\/([^\s/@:]{0,256}):[^\s/@]{1,1024}@/g, `://$1:${MASK}@`],
  [/:\/\/[^\s/@:]{20,256}@/g, `://${MASK}@`],
  // Tokens of web services: header, content and signature.
  [shape('eyJ[\\w-]{4,}\\.[\\w-]{4,}(?:\\.[\\w-]*)?'), MASK],
  // OpenAI, Anthropic, Stripe and others.
  [shape('(?:sk|pk|rk)[-_](?=[\\w-]*\\d)[\\w-]{12,}'), MASK],
  [shape('(?:gh[a-z]_|github_pat_|glpat-|gldt-|npm_|hf_|pypi-|dop_v1_|shpat_|xai-|gsk_)[\\w-]{12,}'), MASK],
  [shape('xox[a-z]-[\\w-]{8,}|xapp-[\\w-]{8,}'), MASK],
  [shape('A(?:KIA|SIA)[A-Z0-9]{12,}'), MASK],
  [shape('AIza[\\w-]{30,}|ya29\\.[\\w-]{12,}|SG\\.[\\w-]{12,}\\.[\\w-]{12,}'), MASK],
  [shape('(bearer) {1,3}[\\w.~+/=-]{8,}', 'gi'), `$1 ${MASK}`],
  [
    shape('(authorization) {0,3}: {0,3}(?:(?:basic|bearer|token|digest) {1,3})?[^\\s"\',;]+', 'gi'),
    `$1: ${MASK}`,
  ],
];
