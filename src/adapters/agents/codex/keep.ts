/** A memory of what was read, that forgets everything rather than grow without end. */
export function createKeep<T>(maxEntries: number): {
  get(key: string): T | undefined;
  set(key: string, value: T): T;
} {
  const kept = new Map<string, T>();
  return {
    get: (key) => kept.get(key),
    set(key, value) {
      if (kept.size >= maxEntries && !kept.has(key)) kept.clear();
      kept.set(key, value);
      return value;
    },
  };
}
