import type { CrowdKind } from './crowd.ts';
import type { DaemonBench, DaemonScenes } from './daemon.ts';

const ROWS: DaemonScenes['rows'] = [
  [200, 'agents'],
  [500, 'agents'],
  [500, 'shells'],
  [500, 'silent'],
  [1000, 'agents'],
  [1000, 'silent'],
];

/** The usual scenes, or agents and silent programs in these numbers. */
export function scenesFor(sizes: readonly number[] | null, hooks: number): DaemonScenes {
  if (sizes === null) return { rows: ROWS, deaths: [50, 1000], hooks };
  const rows = sizes.flatMap((size) => [[size, 'agents'] as const, [size, 'silent'] as const]);
  return { rows, deaths: [Math.max(2, ...sizes)], hooks };
}

/** Scenes by their words: `500:silent`, `deaths:50`, `hooks:100`; `with:PATH` measures the build at that path. Null where no word is one. */
export function scenesIn(words: readonly string[]): DaemonScenes | null {
  if (!words.some((word) => word.includes(':'))) return null;
  const named = (name: string) =>
    words.flatMap((word) => (word.startsWith(`${name}:`) ? [word.slice(name.length + 1)] : []));
  const rows = words.flatMap((word) => {
    const [, size, kind] = /^(\d+):(agents|silent|shells)$/.exec(word) ?? [];
    return kind === undefined ? [] : [[Number(size), kind as CrowdKind] as const];
  });
  const [program] = named('with');
  const [hooks = 0] = named('hooks').map(Number);
  return { rows, deaths: named('deaths').map(Number), hooks, ...(program && { program }) };
}

/** What was measured before, with these scenes in place of the same ones. */
export function withScenes(before: DaemonBench | undefined, now: DaemonBench): DaemonBench {
  const { rows = [], latencies = [] } = before ?? {};
  const isOld = ({ size, kind }: DaemonBench['rows'][number]) =>
    !now.rows.some((one) => one.size === size && one.kind === kind);
  const wasBefore = ({ size }: DaemonBench['latencies'][number]) =>
    !now.latencies.some((one) => one.size === size);
  const order = ({ size, kind }: DaemonBench['rows'][number]) =>
    ROWS.findIndex(([of, one]) => of === size && one === kind);
  return {
    rows: [...rows.filter(isOld), ...now.rows].sort((a, b) => order(a) - order(b)),
    latencies: [...latencies.filter(wasBefore), ...now.latencies].sort((a, b) => a.size - b.size),
  };
}
