/** Stands where a secret stood. */
export const MASK = '***';

/**
 * Masks the values of `name=value`, `name: value`, `"name": "value"` and `--name value` where the name says that they are
 * secret, up to the end of what the value stands in: a pair of quotes, a word of a shell, or the line. Where its end can
 * be read in two ways, the line is taken: too much is masked rather than too little.
 */
export function maskAssigned(text: string): string {
  let masked = '';
  let from = 0;
  for (const found of text.matchAll(HEAD)) {
    if (found.index < from || !isSecretName(nameOf(found))) continue;
    const value = spanOf(text, headOf(found));
    if (value.from === value.to) continue;
    masked += text.slice(from, value.from) + MASK;
    from = value.to;
  }
  return masked + text.slice(from);
}

/** The same for one word of a command line: where it begins with such a name, all the rest is the value. */
export function maskAssignedWord(word: string): string | null {
  const found = WORD_HEAD.exec(word);
  if (found === null || found[0] === word || !isSecretName(nameOf(found))) return null;
  return found[0] + MASK;
}

// A name with its sign, or a flag whose value is the next word, maybe after empty ones. Every name is begun once, and the
// blanks behind it are looked at once, so that no text makes it slow.
const QUOTE = /\\*["'`]/.source;
const ASSIGNED = `([\\w.-]+)(${QUOTE})?[ \\t]*(=>|[:=]{1,3})([ \\t]*)`;
const FLAG = `(--?[A-Za-z][\\w.-]*)(?:[ \\t]+|(${QUOTE})(?:[ \\t]*,[ \\t]*|[ \\t]+))(?:(?:""|'')[ \\t]+)*`;
const HEAD = new RegExp(`(?<![\\w.-])(?:${ASSIGNED}|${FLAG})`, 'g');
const WORD_HEAD = new RegExp(`^(?:${ASSIGNED}|${FLAG})`);

interface Head {
  readonly index: number;
  readonly valueAt: number;
  /** A quote ends the name: `"name": …`. */
  readonly isClosed: boolean;
  /** The value may have blanks in it: that of a header, of YAML and of settings in lines. */
  readonly isLine: boolean;
  /** Everything up to the end of the line, quotes too. */
  readonly isHeader: boolean;
}

function nameOf({ 1: name, 5: flag }: RegExpExecArray): string {
  return name ?? `${flag}`;
}

function headOf(found: RegExpExecArray): Head {
  const { index } = found;
  const [whole, name = '', closed, sign, gap = '', , ended] = found;
  const isHeader = sign === ':' && /(?:authorization|cookie)$/i.test(name);
  const isClosed = closed !== undefined || ended !== undefined;
  return { index, valueAt: index + whole.length, isClosed, isLine: gap !== '', isHeader };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function spanOf(text: string, { index, valueAt, isClosed, isLine, isHeader }: Head): Span {
  const around = isClosed ? null : quoteBefore(text, index);
  if (around !== null) return { from: valueAt, to: endInQuotes(text, valueAt, around) };
  const line = { from: valueAt, to: lineEnd(text, valueAt) };
  if (isHeader && !isClosed) return line;
  OPENING.lastIndex = valueAt;
  const [opening] = OPENING.exec(text) ?? [];
  if (opening !== undefined) {
    const from = valueAt + opening.length;
    return { from, to: endInQuotes(text, from, quoteOf(opening)) };
  }
  if (isClosed ? /[[{]/.test(text.charAt(valueAt)) : isLine) return line;
  return { from: valueAt, to: wordEnd(text, valueAt, isClosed ? PLAIN_IN_LIST : PLAIN) };
}

const OPENING = new RegExp(QUOTE, 'y');
/** A word of a shell, or of a document with commas, up to its end or to a quote. */
const PLAIN = /(?:[^\s;&|"'`\\]|\\[^\n])*/y;
const PLAIN_IN_LIST = /(?:[^\s;&|,}\]"'`\\]|\\[^\n])*/y;

function wordEnd(text: string, from: number, plain: RegExp): number {
  plain.lastIndex = from;
  plain.exec(text);
  const to = plain.lastIndex;
  // Whether a quote in a word begins a part with blanks, or ends what stands around the word, nobody can tell.
  return /["'`\\]/.test(text.charAt(to)) ? lineEnd(text, to) : to;
}

interface Quote {
  readonly mark: string;
  /** How many backslashes stand before it, where it stands in quotes itself. */
  readonly escapes: number;
}

function quoteOf(opening: string): Quote {
  return { mark: opening.slice(-1), escapes: opening.length - 1 };
}

function quoteBefore(text: string, index: number): Quote | null {
  const mark = text.charAt(index - 1);
  return /["'`]/.test(mark) ? { mark, escapes: backslashesBefore(text, index - 1, 0) } : null;
}

/** Nobody nests quotes deeper, and every depth may cost a look at all of the text. */
const MAX_ESCAPES = 15;

/** The end of what stands in quotes; that of the line where they do not end, or where the word goes on behind them. */
function endInQuotes(text: string, from: number, { mark, escapes }: Quote): number {
  let at = escapes > MAX_ESCAPES ? -1 : text.indexOf(mark, from);
  for (; at !== -1; at = text.indexOf(mark, at + 1)) {
    const before = backslashesBefore(text, at, from);
    const isEscaped = escapes === 0 ? before % 2 === 1 : before > escapes;
    if (!isEscaped) {
      const to = escapes === 0 ? at : at - before;
      return /[^\s,;&|)}\]>]/.test(text.charAt(at + 1)) ? lineEnd(text, at) : to;
    }
    // In a shell nothing is escaped in these, elsewhere it is.
    if (mark !== '"') return lineEnd(text, at);
  }
  return lineEnd(text, from);
}

function backslashesBefore(text: string, index: number, from: number): number {
  let at = index;
  while (at > from && text.charAt(at - 1) === '\\') at -= 1;
  return index - at;
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at;
}

// The last part of a name says what it holds: `--token-file` holds a path, and `max_tokens` a number.
const SECRET_NAME =
  /(?:token|secrets?|passwords?|passwd|passphrases?|credentials?|(?:api|access|secret|private)-?keys?|(?:^|-)(?:pass|key|auth|pat|jwt|authorization|cookies?|bearer|pwd)|(?:^|access-|api-|auth-|refresh-|session-)tokens)(?:-?\d{1,4})?$/;

/** What every shell has in its environment: the folder it is in. */
const FOLDERS: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

/** Whether a name of a flag, a variable, a field or a header says that its value is secret. */
export function isSecretName(name: string): boolean {
  if (FOLDERS.has(name)) return false;
  // `apiKey` and `API_KEY` are the same name as `--api-key`.
  const parts = name.slice(-64).replace(/([a-z\d])([A-Z])/g, '$1-$2');
  return SECRET_NAME.test(parts.replace(/[_.]/g, '-').toLowerCase());
}
