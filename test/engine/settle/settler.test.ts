import { afterEach, describe, expect, it } from 'vitest';
import type { CloseProgress } from '../../../src/engine/act/close/order.ts';
import { cancel } from '../../../src/engine/act/complete.ts';
import { hold } from '../../../src/engine/act/declare-standing.ts';
import { until } from '../../support/until.ts';
import { entriesOf, factsIn } from '../act/acting-room.ts';
import { lives, outcomesIn, receiptsIn } from '../act/closing-room.ts';
import { SettlingRoom } from './settling-room.ts';

let room: SettlingRoom;
afterEach(() => room.leave());

const notesIn = async () =>
  entriesOf(await room.eyes()).flatMap(({ kind, action, session }) =>
    kind === 'note' ? [`${action} ${session?.name}`] : [],
  );

describe('what was declared complete', () => {
  it('2: is closed without pressure, one at a time, with a receipt; nobody else is', async () => {
    room = new SettlingRoom();
    await room.tmux.session('strange', ...room.agents.argv('strange', 'leaves'));
    for (const name of ['done-1', 'done-2', 'works', 'held', 'undeclared']) await room.worker(name);
    const hands = await room.eyes();
    await room.agents.say('works', 'working');
    await hold(hands, await room.entry(hands, 'held'), 'mine');
    await room.complete('done-1', 'done-2', 'works', 'held', 'strange');
    const settler = room.compose();
    const states = Object.fromEntries(
      (await room.round(settler)).standing.due.map(({ name, state }) => [name, state]),
    );
    expect(states).toMatchObject({ works: 'working', held: 'protected' });
    for (const name of ['strange', 'undeclared']) expect(states).not.toHaveProperty(name);
    const events = await room.until(settler, 'closed', 2);
    expect(events.map(({ kind, session }) => `${kind} ${session.name}`).sort()).toEqual([
      'closed done-1',
      'closed done-2',
    ]);
    const left = ['held', 'strange', 'undeclared', 'works'];
    expect((await room.round(settler)).events).toEqual([]);
    expect((await room.names()).sort()).toEqual(left);
    const closes = entriesOf(hands).filter(({ action, session }) => action === 'close' && session);
    // One that was called off because something moved was tried again.
    const calledOff = closes.flatMap(({ cause, body }) => (body.result === 'aborted' ? [cause] : []));
    const acts = closes.filter(({ cause, sequence }) => !calledOff.includes(cause ?? sequence));
    expect(acts.map(({ kind, session }) => `${kind} ${session?.name}`)).toEqual(
      [events[0], events[1]].flatMap((event) =>
        ['intent', 'receipt', 'outcome'].map((kind) => `${kind} ${event?.session.name}`),
      ),
    );
    const [receipt] = acts.filter(({ kind }) => kind === 'receipt');
    expect(receipt?.body).toMatchObject({
      reason: expect.stringMatching(/^declared complete .* nothing would be lost$/),
      ...{ waived: [], isForced: false, resume: expect.arrayContaining(['leaves']) },
    });
    expect(receipt?.body.receipt).toBe(events[0]?.receipt);
  });

  it('S60: is another rollcall’s where another ledger started it, whatever is declared here', async () => {
    room = new SettlingRoom();
    await room.worker('theirs');
    const other = new SettlingRoom();
    other.env.TMUX_TMPDIR = room.env.TMUX_TMPDIR;
    other.env.ROLLCALL_SCRIPTED_AGENT = room.agents.program;
    try {
      const hands = await other.hands({}, [room.tmux.socketPath]);
      const eyes = async () => hands;
      Object.assign(other, { eyes });
      await other.complete('theirs');
      const settler = other.compose({ openHands: () => other.hands({}, [room.tmux.socketPath]) });
      await until(
        'it may be closed by whoever started it',
        async () => (await hands.look()).sessions[0]?.lifecycle,
        (lifecycle) => lifecycle === 'safe-to-close',
      );
      expect(await other.round(settler)).toEqual({ standing: { mode: 'on', due: [] }, events: [] });
      await settler.stop();
      expect(receiptsIn(hands)).toEqual([]);
      expect(await room.names()).toEqual(['theirs']);
    } finally {
      other.leave();
    }
  });

  it('8: a bare shell of a worker’s own is closed, and not while something stands in its line', async () => {
    room = new SettlingRoom();
    await room.shell('shell');
    await room.shell('typing');
    await room.tmux.tmux('send-keys', '-t', '=typing:', 'rm -r important');
    // What is typed after the completion would end it.
    const screen = () => room.tmux.tmux('capture-pane', '-p', '-t', '=typing:');
    await until('it is typed', async () => (await screen()).includes('important'));
    await room.complete('shell', 'typing');
    const settler = room.compose();
    const [closed] = await room.until(settler, 'closed');
    expect(closed).toMatchObject({ session: { name: 'shell' } });
    expect((await room.untilDue(settler, 'typing', 'unproven')).why).toContain('text stands in the input');
    // A terminal that somebody added is theirs.
    await room.tmux.tmux('send-keys', '-t', '=typing:', 'C-u');
    await room.tmux.tmux('split-window', '-d', '-t', '=typing:', 'bash --norc --noprofile -i');
    for (let round = 0; round < 3; round += 1) expect((await room.round(settler)).events).toEqual([]);
    const entry = await room.entry(await room.eyes(), 'typing');
    expect(entry.blockers.map(({ code }) => code)).toContain('finished-or-resumable');
    expect(await room.names()).toEqual(['typing']);
  });
});

describe('a close that fails', () => {
  it('2: is told, keeps the claims, and is tried again with growing pauses; others go on', async () => {
    room = new SettlingRoom();
    await room.worker('deaf', 'done+deaf');
    await room.complete('deaf');
    let hasHands = true;
    const openHands = () => (hasHands ? room.hands() : Promise.reject(new Error('no hands')));
    const settler = room.compose({ openHands });
    const [failed] = await room.until(settler, 'failed');
    expect(failed).toMatchObject({ session: { name: 'deaf' }, receipt: null });
    expect((failed?.nextAt ?? 0) - (failed?.at ?? 0)).toBe(60_000);
    expect(await notesIn()).toEqual(['settle-failed deaf']);
    const hands = await room.eyes();
    const { key } = await room.entry(hands, 'deaf');
    expect(factsIn(hands).get(key)).toMatchObject({ claims: { task: 'T-deaf', role: 'i' }, closed: null });
    const paused = await room.untilDue(settler, 'deaf', 'failed');
    expect(paused).toMatchObject({ why: failed?.text, dueAt: expect.any(Number) });
    await room.worker('next');
    await room.complete('next');
    expect((await room.until(settler, 'closed'))[0]).toMatchObject({ session: { name: 'next' } });
    // Once the pause is over it is tried again, and the next pause is longer.
    expect((await room.round(settler, 59_000)).standing.due).toMatchObject([{ state: 'failed' }]);
    hasHands = false;
    const later = await until(
      'it failed again',
      async () => (await room.round(settler, 60_000)).events[0],
      (event) => event?.kind === 'failed',
    );
    expect((later?.nextAt ?? 0) - (later?.at ?? 0)).toBe(120_000);
    expect(lives(await room.agents.pid('deaf'))).toBe(true);
    await settler.stop();
  });

  it('and one that throws is a failure too, and leaves the turn to others', async () => {
    room = new SettlingRoom();
    await room.worker('done');
    await room.complete('done');
    const settler = room.compose({ openHands: () => Promise.reject(new Error('no hands')) });
    const [failed] = await room.until(settler, 'failed');
    expect(failed).toMatchObject({ code: 'thrown', text: 'no hands' });
    expect(room.turn.isTaken()).toBe(false);
    expect(await room.names()).toEqual(['done']);
  });
});

describe('modes and turns', () => {
  it('2: shadow tells once what it would close, off nothing; both touch nothing', async () => {
    room = new SettlingRoom();
    room.mode = 'shadow';
    await room.worker('done');
    await room.complete('done');
    const shadow = room.compose();
    const events = await room.until(shadow, 'would-close');
    expect(events).toMatchObject([{ kind: 'would-close', session: { name: 'done' }, code: 'completed' }]);
    for (let round = 0; round < 3; round += 1) expect((await room.round(shadow)).events).toEqual([]);
    expect(await notesIn()).toEqual(['settle-would-close done']);
    room.mode = 'off';
    const off = room.compose();
    const { standing, events: none } = await room.round(off);
    expect([standing.mode, standing.due[0]?.state, none]).toEqual(['off', 'due', []]);
    expect(room.turn.isTaken()).toBe(false);
    expect(await room.names()).toEqual(['done']);
  });

  it('waits while another closes, and begins nothing once it was stopped', async () => {
    room = new SettlingRoom();
    await room.worker('done');
    await room.complete('done');
    const release = room.turn.take();
    const settler = room.compose();
    await room.untilDue(settler, 'done', 'due');
    for (let round = 0; round < 3; round += 1) {
      expect((await room.round(settler)).standing.due[0]?.state).toBe('due');
    }
    const stopped = room.compose();
    await stopped.stop();
    release?.();
    expect((await room.round(stopped)).standing.due[0]?.state).toBe('due');
    expect((await room.round(settler)).standing.due[0]?.state).toBe('closing');
    expect(room.turn.isTaken()).toBe(true);
    await settler.stop();
    expect(room.turn.isTaken()).toBe(false);
    expect(await room.names()).toEqual([]);
  });
});

describe('a completion that is taken back', () => {
  const wish = { isAutomatic: true, isByCompletion: true };

  it('before the close: refuses it, although its rest alone would do', async () => {
    room = new SettlingRoom();
    room.policy = { idleAfterMs: 1 };
    await room.worker('done');
    await room.complete('done');
    const hands = await room.eyes();
    const rested = () => room.entry(hands, 'done');
    const entry = await until('it may go', rested, ({ lifecycle }) => lifecycle === 'safe-to-close');
    await cancel(hands, entry);
    await until('its rest would do', rested, ({ reasons }) => reasons[0]?.code === 'proven');
    expect(await room.close(hands, entry, wish)).toMatchObject({ state: 'refused', code: 'not-safe' });
    expect(await room.names()).toEqual(['done']);
  });

  it.each([
    ['while it is archived: nothing is intended', 'archive', []],
    ['on the way: stops it before its next act', 'ask', ['aborted']],
  ] as const)('%s, and its agent stays', async (_, rung, outcomes) => {
    room = new SettlingRoom();
    const pid = await room.worker('done');
    await room.complete('done');
    const hands = await room.eyes();
    const rested = () => room.entry(hands, 'done');
    const entry = await until('it may go', rested, ({ lifecycle }) => lifecycle === 'safe-to-close');
    const session = { key: entry.key, name: entry.name };
    const onProgress = (progress: CloseProgress) => {
      if (progress.state === 'begins' && progress.rung === rung)
        hands.ledger.append({ kind: 'declared', action: 'cancel', session, body: {} });
    };
    expect(await room.close(hands, entry, wish, { onProgress })).toMatchObject({
      ...{ state: 'aborted', text: 'its completion was taken back' },
    });
    expect([lives(pid), outcomesIn(hands)]).toEqual([true, outcomes]);
  });
});
