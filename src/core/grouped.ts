/** Items by what they have in common, each group in the order of its items. */
export function grouped<T, K>(items: Iterable<T>, of: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = of(item);
    const known = groups.get(key);
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
