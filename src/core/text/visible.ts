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

/**
 * The value with every text in it made visible, and without what is undefined. What needs no change is not copied: of a long roll
 * that is nearly all.
 */
export function visibleDeep<T>(value: T): T {
  return deep(value) as T;
}

function deep(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return deepObject(value as Readonly<Record<string, unknown>>);
  const made = value.map(deep);
  return made.every((part, index) => part === value[index]) ? value : made;
}

function deepObject(value: Readonly<Record<string, unknown>>): object {
  let made: Record<string, unknown> | null = null;
  for (const key in value) {
    const part = value[key];
    const [shownKey, shown] = [visible(key), deep(part)];
    if (made === null && shown === part && shownKey === key && part !== undefined) continue;
    made ??= before(value, key);
    if (part !== undefined) made[shownKey] = shown;
  }
  return made ?? value;
}

/** A copy of what comes before this key. */
function before(value: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const other in value) {
    if (other === key) break;
    made[other] = value[other];
  }
  return made;
}
