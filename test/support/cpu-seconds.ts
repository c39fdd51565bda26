/**
 * Processor time that this process alone spends on some work, in seconds. Wall time says nothing on a machine that others are busy on;
 * what takes longer than it should is bounded here, and how fast things are is for the benchmark.
 */
export function cpuSeconds(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  return process.cpuUsage(begun).user / 1e6;
}
