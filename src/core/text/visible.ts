// C0 and C1 controls, DEL, bidi controls and marks, line separators, zero-width spaces and joins that hide text,
// tags, and lone surrogates. U+200D (joiner) and variation selectors stay: emoji need them and they hide nothing.
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

const PLAIN = /^[ -~]*$/;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e' };

// A cut must not leave the first half of a surrogate pair behind.
const HALF_PAIR = /[\ud800-\udbff]$/;

/**
 * Makes text from outside (names, titles, screens, paths) safe to print: every control or bidi character becomes a
 * visible escape, and what is longer than `maxLength` ends in an ellipsis within it. Idempotent, so that each edge may
 * apply it without asking who did before.
 */
export function visible(text: string, maxLength = 4096): string {
  // Almost every text, and much sooner told than by what is unsafe.
  if (text.length <= maxLength && PLAIN.test(text)) return text;
  // One unit too many is kept, so that the length still tells whether anything was cut off.
  const shown = text.slice(0, maxLength + 1).replace(UNSAFE, escaped);
  if (shown.length <= maxLength) return shown;
  return `${shown.slice(0, maxLength - 1).replace(HALF_PAIR, '')}…`;
}

function escaped(character: string): string {
  return NAMED[character] ?? `\\u{${Number(character.codePointAt(0)).toString(16)}}`;
}

/** A copy in which every text is made visible, and what is undefined is left out. */
export function visibleDeep<T>(value: T): T {
  return deep(value) as T;
}

function deep(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(deep);
  if (typeof value !== 'object' || value === null) return value;
  const made: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    if (part !== undefined) made[visible(key)] = deep(part);
  }
  return made;
}
