/** Processor time that an action takes, ms: unlike the wall clock it does not grow with the load of the machine. */
export function cpuTimeMs(action: () => unknown): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const SIZE = 100_000;

/** Strings that make a careless pattern explode. */
export const HOSTILE: readonly string[] = [
  ...['a', '1', ' ', '/', '-', '"', "'", '\\', '$', '> ', '$ ', 'a ', 'sh -c ', '"\\', 'x=', '1.', '🙂'].map(
    (unit) => unit.repeat(Math.ceil(SIZE / unit.length)),
  ),
  `${'1'.repeat(SIZE)}x`,
  `-${'c'.repeat(SIZE)}x`,
  `${'a'.repeat(SIZE)}!`,
  `"${'\\"'.repeat(SIZE / 2)}`,
];
