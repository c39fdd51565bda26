import { expect, it } from 'vitest';
import { usage, wishOf } from '../../bench/bench.ts';
import { scenesFor, scenesIn, withScenes } from '../../bench/daemon-scenes.ts';
import { PARTS } from '../../bench/parts.ts';
import { startTelling, waitForEnd } from '../../bench/peers/peer.ts';
import { soak } from '../../bench/soak.ts';

const NAMES = ['looks', 'hook', 'gate', 'guard', 'daemon', 'peers', 'doctor'];

it('every part of the benchmark loads and is in the help', () => {
  expect(Object.keys(PARTS)).toEqual(NAMES);
  for (const name of NAMES) expect(usage()).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
  expect(soak).toBeInstanceOf(Function);
});

it.each([
  [[], { parts: NAMES, isUsual: true }],
  [['curves'], { parts: [], isUsual: true }],
  [['daemon', 'looks'], { parts: ['looks', 'daemon'], sizes: null, isUsual: true }],
  [['looks', '--sizes', '10,20'], { parts: ['looks'], sizes: [10, 20], isUsual: false }],
  [['peers', '--quick', '--out', '/tmp/x'], { isQuick: true, isUsual: false, out: '/tmp/x' }],
  [['--help'], { isHelp: true }],
])('%j is understood', (argv, wish) => {
  expect(wishOf(argv)).toMatchObject(wish);
});

it.each([[['look']], [['looks', '--sizes', '10,none']], [['looks', '--sizes', '0']], [['--fast']]])(
  '%j is refused',
  (argv) => {
    expect(() => wishOf(argv)).toThrow();
  },
);

it('scenes of the daemon are named by words, or by sizes', () => {
  expect(scenesIn(['500:silent', 'deaths:50', 'with:/tmp/other.cjs'])).toEqual({
    ...{ rows: [[500, 'silent']], deaths: [50], hooks: 0, program: '/tmp/other.cjs' },
  });
  expect(scenesIn(['deaths:50', 'hooks:100', '--keep'])).toEqual({ rows: [], deaths: [50], hooks: 100 });
  expect(scenesIn(['looks', '--quick'])).toBeNull();
  expect(scenesFor([20], 5)).toMatchObject({ deaths: [20], hooks: 5 });
  expect(scenesFor([20], 5).rows).toEqual(['agents', 'silent'].map((kind) => [20, kind]));
});

it('scenes that are kept take the place of the same ones', () => {
  const row = (size: number, cpuPercent: number) => ({
    ...{ size, kind: 'silent' as const, load: 1, seconds: 300, cpuPercent, rssMib: 80, peakMib: 90 },
    ...{ serverCpuPercent: 0, pollers: [] },
  });
  const told = (size: number, median: number) => ({
    ...{ size, hook: null, death: { count: 100, median, p95: 50, p99: 60 } },
  });
  const before = { rows: [row(500, 3), row(1000, 4)], latencies: [told(50, 40)] };
  const now = { rows: [row(500, 1)], latencies: [told(1000, 30)] };
  expect(withScenes(before, now)).toEqual({
    ...{ rows: [row(500, 1), row(1000, 4)], latencies: [told(50, 40), told(1000, 30)] },
  });
  expect(withScenes(undefined, now)).toEqual(now);
});

const env = process.env;
const isReady = (line: string) => line === 'ready';

it('a supervisor tells by its lines, and ends', async () => {
  const script = 'echo starting; echo ready; read -r word; echo "ended $word"; read -r word';
  const telling = await startTelling(['sh', '-c', script], { env, isReady });
  const told = telling.told((line) => line === 'ended 7');
  telling.child.stdin?.write('7\n');
  expect(await told).toBeLessThanOrEqual(performance.now());
  telling.child.stdin?.end();
  await waitForEnd(telling.child.pid ?? 0);
  expect(telling.child.signalCode).toBeNull();
});

it('a supervisor that ends before it is ready is told with its last lines', async () => {
  await expect(startTelling(['sh', '-c', 'echo no room >&2; exit 3'], { env, isReady })).rejects.toThrow(
    'sh ended: no room',
  );
});
