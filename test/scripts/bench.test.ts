import { expect, it } from 'vitest';
import { usage, wishOf } from '../../bench/bench.ts';
import { scenesFor, scenesIn } from '../../bench/daemon-scenes.ts';
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
  expect(scenesIn(['looks', '--quick'])).toBeNull();
  expect(scenesFor([20], 5)).toMatchObject({ deaths: [20], hooks: 5 });
  expect(scenesFor([20], 5).rows).toEqual(['agents', 'silent'].map((kind) => [20, kind]));
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
