import { afterAll, test as base, beforeAll, describe, expect } from 'vitest';
import { currentFacts } from '../../src/core/ledger/current-facts.ts';
import { COMPLETE_STEPS } from '../../src/engine/act/complete.ts';
import { ADOPT_STEPS } from '../../src/engine/act/declare-standing.ts';
import { recoverAll } from '../../src/engine/act/recover.ts';
import { RUN_STEPS, run } from '../../src/engine/act/run.ts';
import { ActingRoom, entriesOf } from '../engine/act/acting-room.ts';
import { momentsOf } from '../support/moments.ts';
import { OwnProcess } from '../support/own-process.ts';

// A process of its own that does one action and kills itself around one step of it.
const PREAMBLE = `
import { composeHands, run, complete, adopt, recoverAll, toSettings, defaultValues } from './module.mjs';
const [socketPath, step, when, cwd, env] = args;
const onStep = (name, time) => {
  if (name === step && time === when) process.kill(process.pid, 'SIGKILL');
};
const hands = await composeHands(JSON.parse(env), toSettings(defaultValues()), { sockets: [socketPath], onStep });
const wish = { socketPath, name: 'worker', onCollision: 'fail', cwd, argv: ['sleep', '1000'], env: {},
  claims: { task: 'T-1', branch: 'b' }, remain: false, agent: null };
const entry = async () => (await hands.look()).sessions.find(({ name }) => name === 'mine');
const done = { outcome: 'done', task: null, evidence: ['e'], blockers: [], fromPane: null };
`;
const SOURCES = [
  'src/compose/hands.ts',
  'src/config/settings.ts',
  'src/engine/act/run.ts',
  'src/engine/act/complete.ts',
  'src/engine/act/declare-standing.ts',
  'src/engine/act/recover.ts',
];

// A room for each, so that they may run side by side: most of their time is waiting.
const test = base.extend<{ room: ActingRoom }>({
  room: async ({ task: _ }, use) => {
    const room = new ActingRoom();
    await use(room);
    room.leave();
  },
});

let own: OwnProcess;
beforeAll(async () => {
  own = await OwnProcess.prepare(SOURCES, PREAMBLE);
});
afterAll(() => own.remove());

/** How the process ended: by the signal that it sent itself, or with an exit code. */
async function acting(
  room: ActingRoom,
  body: string,
  step: string,
  when: string,
): Promise<NodeJS.Signals | string | 0> {
  const { socketPath, folder } = room.tmux;
  return own.end(
    `${body}\nhands.ledger.close();`,
    ...[socketPath, step, when, folder, JSON.stringify(room.env)],
  );
}

const workers = async ({ tmux }: ActingRoom) =>
  (await tmux.tmux('list-sessions', '-F', '#{session_name}')).split('\n').filter((name) => name !== 'other');

/** Steps before the session is there; after them it has to be there, and known. */
const BEFORE_IT_IS_THERE = new Set(['before intent', 'after intent', 'after keep']);

describe.concurrent('S50: rollcall is killed in the middle of a run', () => {
  test.for(momentsOf(RUN_STEPS))(
    '%s %s: nothing is lost and nothing is started twice',
    async ([when, step], { room }) => {
      await room.tmux.session('other');
      expect(await acting(room, 'await run(hands, wish);', step, when)).toBe('SIGKILL');
      const isThere = !BEFORE_IT_IS_THERE.has(`${when} ${step}`);
      expect(await workers(room)).toEqual(isThere ? ['worker'] : []);

      const hands = await room.hands();
      await recoverAll(hands);
      const entries = entriesOf(hands);
      expect(hands.ledger.facts().folded.openIntents.size).toBe(0);
      expect(hands.ledger.verify().damage).toBeNull();
      expect(await workers(room)).toEqual(isThere ? ['worker'] : []);
      const known = [...currentFacts(entries).values()].filter(({ origin }) => origin !== null);
      if (isThere) {
        const { key } = await room.entry(hands, 'worker');
        expect(known).toMatchObject([{ key, claims: { task: 'T-1', branch: 'b' } }]);
      } else expect(known).toEqual([]);
      expect(await recoverAll(hands)).toEqual([]);

      // Started again by whoever wanted it, it is there once.
      const again = await run(hands, room.wish());
      expect(again.state === 'started').toBe(!isThere);
      expect(await workers(room)).toEqual(['worker']);
    },
  );

  test('also the one who recovers may be killed', async ({ room }) => {
    await room.tmux.session('other');
    expect(await acting(room, 'await run(hands, wish);', 'see', 'before')).toBe('SIGKILL');
    expect(await acting(room, 'await recoverAll(hands);', 'recovered', 'before')).toBe('SIGKILL');
    expect(await acting(room, 'await recoverAll(hands);', 'recovered', 'after')).toBe('SIGKILL');
    const hands = await room.hands();
    expect(await recoverAll(hands)).toEqual([]);
    expect(entriesOf(hands).map(({ kind }) => kind)).toEqual(['intent', 'outcome']);
    expect(hands.ledger.verify().damage).toBeNull();
  });
});

const DECLARATIONS = [
  ['complete', 'await complete(hands, await entry(), done);', COMPLETE_STEPS],
  ['adopt', 'await adopt(hands, await entry(), {});', ADOPT_STEPS],
] as const;

describe.concurrent('S50: rollcall is killed in the middle of a declaration', () => {
  test.for(
    DECLARATIONS.flatMap(([action, body, steps]) =>
      momentsOf<string>(steps).map(([when, step]) => [action, when, step, body] as const),
    ),
  )(
    '%s, %s %s: it holds or it does not, and can be said again',
    async ([action, when, step, body], { room }) => {
      await room.tmux.session('mine');
      expect(await acting(room, body, step, when)).toBe('SIGKILL');
      const hands = await room.hands();
      expect(entriesOf(hands)).toHaveLength(step === 'declared' && when === 'before' ? 0 : 1);
      expect(await acting(room, body, '-', '-')).toBe(0);
      expect(entriesOf(hands).map((entry) => entry.action)).toEqual([action]);
      expect(hands.ledger.verify().damage).toBeNull();
    },
  );
});
