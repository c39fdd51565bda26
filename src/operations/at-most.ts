/** Does the work for all of them, so many at a time, in order; the results come in the same order. */
export async function atMost<T, R>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const open = items.entries();
  const one = async () => {
    for (const [index, item] of open) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, one));
  return results;
}
