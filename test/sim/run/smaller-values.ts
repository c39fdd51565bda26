/** Numbers that a reader finds plainer than this one, the plainest first. */
export function smallerValues(value: number): number[] {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, Math.abs(value))));
  const candidates = [0, 1, size, Math.trunc(value / 2), Math.trunc(value / size) * size, Math.trunc(value)];
  const isPlainer = (one: number) =>
    one >= 0 && (one < value || (one === Math.trunc(value) && one !== value));
  return [...new Set(candidates)].filter(isPlainer);
}
