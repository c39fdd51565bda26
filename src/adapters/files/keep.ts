/** A memory of bounded size: the oldest entry goes first, and is made again when it is needed. */
export interface Keep<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): T;
}

export function createKeep<T>(maxKept: number): Keep<T> {
  const kept = new Map<string, T>();
  return {
    get: (key) => kept.get(key),
    set(key, value) {
      kept.delete(key);
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
      return value;
    },
  };
}
