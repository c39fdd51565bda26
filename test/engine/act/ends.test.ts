import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordEnds } from '../../../src/engine/act/ends/record-ends.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { recoverAll } from '../../../src/engine/act/recover.ts';
import { run } from '../../../src/engine/act/run.ts';
import { intentBody } from '../../../src/engine/act/run-wish.ts';
import { until } from '../../support/until.ts';
import { ActingRoom, entriesOf, factsIn } from './acting-room.ts';

let room: ActingRoom;
let hands: Hands;
beforeEach(async () => {
  room = new ActingRoom();
  hands = await room.hands();
});
afterEach(() => room.leave());

const folder = () => join(room.state, 'rollcall', 'ends');
const records = () => (existsSync(folder()) ? readdirSync(folder()) : []);

/** A session whose program has ended, as tmux wrote it down, and nothing of it is in the ledger yet. */
async function endedSession(
  status: number,
  more: Partial<Parameters<ActingRoom['wish']>[0]> = {},
): Promise<string> {
  const go = join(room.tmux.folder, 'go');
  const script = `while [ ! -e ${go} ]; do sleep 0.05; done; exit ${status}`;
  await room.tmux.session('other');
  const ran = await run(hands, room.wish({ argv: ['sh', '-c', script], ...more }));
  if (ran.state !== 'started') throw new Error(ran.state);
  writeFileSync(go, '');
  const names = () => room.tmux.tmux('list-sessions', '-F', '#{session_name}');
  await until('it is gone', async () => !(await names()).includes('worker'));
  return ran.key;
}

const receipts = () => entriesOf(hands).filter(({ kind }) => kind === 'receipt');
const ends = () => entriesOf(hands).filter(({ action }) => action === 'end');

describe('S58: an end that tmux wrote down', () => {
  it('is recorded once, with a receipt where it has finished, and the file goes last', async () => {
    const key = await endedSession(0, { agent: { kind: 'claude', conversation: 'c-1' } });
    expect(records()).toHaveLength(1);
    expect(await recordEnds(hands)).toMatchObject([{ session: { key }, isFinished: true }]);
    expect(factsIn(hands).get(key)).toMatchObject({
      ended: { exitStatus: 0 },
      closed: { result: 'finished', place: { server: { socketPath: room.tmux.socketPath } } },
      closing: null,
    });
    expect(receipts()[0]?.body).toMatchObject({ resume: ['claude', '--resume', 'c-1'], archive: null });
    expect(records()).toEqual([]);
    expect(await recordEnds(hands)).toEqual([]);
    expect(receipts()).toHaveLength(1);
  });

  it('with another status stays to be looked at', async () => {
    const key = await endedSession(3);
    expect(await recordEnds(hands)).toMatchObject([{ isFinished: false }]);
    expect(factsIn(hands).get(key)).toMatchObject({ ended: { exitStatus: 3 }, closed: null });
    const { sessions } = await hands.look();
    expect(sessions.find((entry) => entry.key === key)).toMatchObject({ lifecycle: 'stale' });
    expect(records()).toEqual([]);
  });

  it('S50: whoever records it may be killed before and after each step', async () => {
    await endedSession(0);
    const steps = ['end', 'intent', 'receipt', 'outcome'].flatMap((step) =>
      (['before', 'after'] as const).map((when) => ({ step, when })),
    );
    for (const at of steps) {
      const onStep: Hands['onStep'] = (step, when) => {
        if (step === at.step && when === at.when) throw new Error('killed');
      };
      await recoverAll({ ...hands, onStep }).catch(() => {});
    }
    await recoverAll(hands);
    expect(records()).toEqual([]);
    expect(ends()).toHaveLength(1);
    expect(receipts()).toHaveLength(1);
    const { folded, damage } = hands.ledger.facts();
    expect({ open: folded.openIntents.size, damage }).toEqual({ open: 0, damage: null });
  });

  it('that came before rollcall has looked once is told by whoever started it', async () => {
    await room.tmux.session('other');
    const startSession: Hands['tmux']['startSession'] = async (...call) => {
      const started = await hands.tmux.startSession(...call);
      await until('it is written down', () => {
        process.kill(room.tmux.serverPid, 'SIGCHLD');
        return records().length > 0;
      });
      return started;
    };
    const late = { ...hands, tmux: { ...hands.tmux, startSession } };
    const fine = await run(late, room.wish({ argv: ['true'] }));
    expect(fine).toMatchObject({
      ...{ state: 'started', end: { exitStatus: 0 } },
      entry: { lifecycle: 'closed', receipt: expect.any(String) },
    });
    expect(records()).toEqual([]);
    // Whoever started it is told, so there is nothing that somebody has to settle.
    const bad = await run(late, room.wish({ argv: ['sh', '-c', 'exit 3'] }));
    expect(bad).toMatchObject({ state: 'died', end: { exitStatus: 3 } });
    expect(records()).toEqual([]);
    expect((await hands.look()).sessions.map(({ name }) => name)).toEqual(['other']);
  });

  it('is not recorded while the session stands, or somebody is at it', async () => {
    const ran = await run(hands, room.wish());
    const [intent] = entriesOf(hands);
    mkdirSync(folder(), { recursive: true });
    const record = 'rollcall-end 1\nstatus 0\nsignal \npanes .\ntime 5\n\nrollcall-end whole\n';
    const path = join(folder(), String(intent?.body.run));
    writeFileSync(path, record);
    expect(ran.state).toBe('started');
    expect(await recordEnds(hands)).toEqual([]);
    expect(existsSync(path)).toBe(true);
    // Nobody knows who wrote this one, and it is old.
    writeFileSync(join(folder(), 'a-stranger'), record);
    await recordEnds(hands);
    expect(existsSync(join(folder(), 'a-stranger'))).toBe(false);
  });

  it('tells of a run that was cut short what became of its program', async () => {
    const body = intentBody(room.wish(), 'the-word');
    hands.ledger.append({ kind: 'intent', action: 'run', session: { key: null, name: 'worker' }, body });
    mkdirSync(folder(), { recursive: true });
    const record = 'rollcall-end 1\nstatus 3\nsignal \npanes .\ntime 5\n\noops\nrollcall-end whole\n';
    writeFileSync(join(folder(), 'the-word'), record);
    await room.tmux.session('other');
    expect(await recoverAll(hands)).toMatchObject([{ body: { result: 'died', end: { exitStatus: 3 } } }]);
    expect(records()).toEqual([]);
  });
});
