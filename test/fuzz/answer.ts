/** What of an answer counts for its bounds. */
export interface Measured {
  /** Characters and values. */
  readonly size: number;
  /** A number that no decision may be made with, and where it is. */
  readonly wild: string | null;
}

/** So deep nothing goes that is printed or kept. */
const MOST_DEPTH = 3000;
const ENOUGH = 400_000_000;

/** Measures an answer without following the same object twice. */
export function measured(answer: unknown): Measured {
  let size = 0;
  let wild: string | null = null;
  const seen = new Set<object>();
  const open: { value: unknown; path: readonly [string, unknown] | null; depth: number }[] = [
    { value: answer, path: null, depth: 0 },
  ];
  for (let next = open.pop(); next !== undefined && size < ENOUGH; next = open.pop()) {
    const { value, path, depth } = next;
    size += typeof value === 'string' ? value.length + 1 : 1;
    if (typeof value === 'number' && !Number.isFinite(value)) wild ??= `${value} at ${spelled(path)}`;
    if (typeof value === 'function' && !isOwnFunction(value)) wild ??= `a function at ${spelled(path)}`;
    if (typeof value !== 'object' || value === null || seen.has(value) || depth > MOST_DEPTH) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) {
      size += value.byteLength;
      continue;
    }
    const parts: Iterable<readonly [unknown, unknown]> =
      value instanceof Map ? value : value instanceof Set ? value.entries() : Object.entries(value);
    for (const [key, part] of parts) {
      size += typeof key === 'string' ? key.length : 1;
      open.push({ value: part, path: [String(key).slice(0, 40), path], depth: depth + 1 });
    }
  }
  return { size, wild };
}

// A function of the language itself is what a name such as `constructor` leads to.
function isOwnFunction(value: object): boolean {
  return !NATIVE.has(value);
}

const NATIVE: ReadonlySet<unknown> = new Set(
  [Object, Array, Function, String, Map]
    .flatMap((one) => [one, ...Object.getOwnPropertyNames(one.prototype).map((name) => [one, name] as const)])
    .map((one) => (Array.isArray(one) ? memberOf(one[0], one[1]) : one)),
);

function memberOf(one: { readonly prototype: object }, name: string): unknown {
  return Object.getOwnPropertyDescriptor(one.prototype, name)?.value;
}

function spelled(path: readonly [string, unknown] | null): string {
  const names: string[] = [];
  for (let at = path; at !== null && names.length < 20; at = at[1] as typeof path) names.unshift(at[0]);
  return names.join('.') || 'the answer';
}
