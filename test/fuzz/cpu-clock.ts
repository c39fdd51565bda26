/**
 * Starts a clock of this process's own time, ms: on a machine that others are busy on, wall time tells of them. What waits
 * for something spends none of it.
 */
export function startCpuClock(): () => number {
  const startedAt = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(startedAt);
    return (user + system) / 1000;
  };
}
