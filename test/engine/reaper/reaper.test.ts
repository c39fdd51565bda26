import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createBudgetFile } from '../../../src/adapters/reaper/budget-file.ts';
import { hold } from '../../../src/engine/act/declare-standing.ts';
import { createCloseTurn } from '../../../src/engine/daemon/close-turn.ts';
import { createReaper } from '../../../src/engine/reaper/create-reaper.ts';
import { until } from '../../support/until.ts';
import { entriesOf } from '../act/acting-room.ts';
import { receiptsIn, SHORT } from '../act/closing-room.ts';
import { ReapingRoom, said } from './reaping-room.ts';

let room: ReapingRoom;
const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
  room.leave();
});

const notesIn = async () => {
  const hands = await room.eyes();
  return entriesOf(hands).flatMap(({ kind, action, session, actor }) =>
    kind === 'note' ? [`${action} ${session?.name ?? ''} by ${actor.kind}`] : [],
  );
};

describe('enforce', () => {
  it('lets an idle agent sleep in its session where that is preferred, and leaves what sleeps alone', async () => {
    room = new ReapingRoom({ prefer: 'hibernate' });
    room.modes.set('enforce');
    await room.worker('idle');
    const reaper = await room.compose();
    const events = await room.until(reaper, 'closed');
    expect(events.at(-1)).toMatchObject({ text: expect.stringContaining('put to sleep') });
    const hands = await room.eyes();
    expect(await room.entry(hands, 'idle')).toMatchObject({ activity: 'asleep', lifecycle: 'active' });
    const { standing } = await room.round(reaper);
    expect(standing.sessions).toMatchObject([{ name: 'idle', guard: { code: 'asleep' } }]);
    await reaper.stop();
  });

  it('S48: closes idle agents one at a time, the six innocents never, tells each veto once; and none when pressure is over', async () => {
    room = new ReapingRoom();
    room.modes.set('enforce');
    const innocents = ['works', 'waits', 'watched', 'drafts', 'held', 'busy-behind', 'strange'];
    await room.workers(['idle-1', 'idle-2', ...innocents], 'leaves', ['strange']);
    await room.agents.say('works', 'working');
    await room.agents.say('waits', 'waiting', 'permission');
    await room.agents.say('drafts', 'idle', 'draft');
    await room.agents.say('busy-behind', 'idle', 'background');
    const hands = await room.eyes();
    await hold(hands, await room.entry(hands, 'held'), 'mine');
    open.push(await room.attach('watched'));
    const reaper = await room.compose();
    const events = await room.until(reaper, 'closed', 2);
    const steps = events.filter(({ kind }) => kind !== 'vetoed').map(({ kind }) => kind);
    expect(steps).toEqual(['chosen', 'closed', 'chosen', 'closed']);
    const vetoes = events.filter(({ kind }) => kind === 'vetoed').map(({ code }) => code);
    expect(vetoes).toEqual([...new Set(vetoes)]);
    expect(vetoes).toContain('not-managed');
    expect((await room.names()).sort()).toEqual([...innocents].sort());
    const { standing } = await room.round(reaper);
    const guards = Object.fromEntries(standing.sessions.map(({ name, guard }) => [name, guard?.code]));
    expect(guards).toMatchObject({
      ...{ works: 'working', waits: 'waiting', drafts: 'nothing-unsent', 'busy-behind': 'working' },
      ...{ held: 'held', watched: 'attached', strange: 'not-managed' },
    });
    expect(standing.budget).toMatchObject({ used: 2, problem: null });
    const notes = await notesIn();
    expect(notes).toHaveLength(4);
    expect(notes).toContain('reap-chosen idle-2 by daemon');
    expect(notes).toContain('reap-closed idle-2 by daemon');
    const receipt = entriesOf(hands).find(({ kind }) => kind === 'receipt')?.body;
    expect(receipt).toMatchObject({
      reason: 'memory pressure is critical: long-idle',
      waived: [{ code: 'rested' }],
      resume: expect.arrayContaining(['leaves']),
    });
    room.tier = 'normal';
    await room.worker('idle-3');
    for (let round = 0; round < 5; round += 1) expect((await room.round(reaper)).events).toEqual([]);
    await reaper.stop();
  });

  it('2: chooses nothing while another closes by itself, and has the turn while it closes', async () => {
    room = new ReapingRoom();
    room.modes.set('enforce');
    await room.worker('idle');
    const turn = createCloseTurn();
    const release = turn.take();
    const reaper = await room.compose({ turn });
    const watchedUntil = room.host.now().awakeMs + 1000;
    await until('it could have chosen', async () => {
      expect((await room.round(reaper)).events.map(({ kind }) => kind)).toEqual([]);
      return room.host.now().awakeMs > watchedUntil;
    });
    release?.();
    await room.until(reaper, 'chosen');
    await until('it closes', async () => (await room.round(reaper)).standing.isClosing === true);
    expect([turn.isTaken(), turn.take()]).toEqual([true, null]);
    await reaper.stop();
    expect([turn.isTaken(), await room.names()]).toEqual([false, []]);
  });

  it('S39: output in the grace spares it', async () => {
    room = new ReapingRoom({ graceMs: 60_000 });
    room.modes.set('enforce');
    await room.worker('idle');
    const reaper = await room.compose();
    await room.until(reaper, 'chosen');
    await room.tmux.tmux('send-keys', '-t', '=idle:', 'x');
    const events = await room.until(reaper, 'spared');
    expect(said(events)).toContain('spared idle');
    expect(await room.names()).toEqual(['idle']);
  });

  it('S50: a reaper that begins anew keeps no promise for another: it watches and waits from the start', async () => {
    room = new ReapingRoom({ graceMs: 700 });
    await room.worker('idle');
    const first = await room.compose();
    await room.until(first, 'chosen');
    await first.stop();
    const startedMs = room.host.now().awakeMs;
    const events = await room.until(await room.compose(), 'would-close');
    expect(said(events)).toEqual(['chosen idle', 'would-close idle']);
    expect(room.host.now().awakeMs - startedMs).toBeGreaterThanOrEqual(1000);
    expect((await room.round(first)).events).toEqual([]);
  });

  it('S49: another rollcall that used the hour up spares what was chosen here', async () => {
    room = new ReapingRoom({ perHour: 1 });
    room.modes.set('enforce');
    await room.worker('idle');
    const reaper = await room.compose();
    await room.until(reaper, 'chosen');
    const other = createBudgetFile({
      ...{ folder: join(room.env.XDG_RUNTIME_DIR ?? '', 'rollcall'), uid: process.getuid?.() ?? 0 },
      ...{ perHour: 1, settleMs: 1, host: () => room.host.identity(), now: () => room.host.now() },
    });
    expect(other.take('elsewhere').state).toBe('taken');
    const events = await room.until(reaper, 'spared');
    expect(events.find(({ kind }) => kind === 'spared')).toMatchObject({ code: 'budget-used' });
    const { standing } = await room.round(reaper);
    expect(standing.budget).toMatchObject({ used: 1, freeAt: expect.any(Number) });
    expect(standing.sessions[0]?.relief).toBeNull();
    expect(await room.names()).toEqual(['idle']);
  });

  it('what is refused at the last moment is skipped and gives its close back; the mode stays', async () => {
    room = new ReapingRoom();
    room.modes.set('enforce');
    await room.worker('idle');
    const reaper = await room.compose({
      async openHands() {
        const hands = await room.hands();
        await room.agents.say('idle', 'working');
        return hands;
      },
    });
    const events = await room.until(reaper, 'skipped');
    expect(said(events)).toEqual(['chosen idle', 'skipped idle']);
    const { standing } = await room.round(reaper);
    expect(standing).toMatchObject({ mode: 'enforce', breaker: null, budget: { used: 0 } });
    expect(await room.names()).toEqual(['idle']);
  });
});

describe('the breaker', () => {
  it('trips on a close that fails: back to shadow, kept, until the mode is set again', async () => {
    room = new ReapingRoom();
    room.modes.set('enforce');
    await room.worker('deaf', 'deaf');
    const reaper = await room.compose({ timings: { ...SHORT, askMs: 100, terminateMs: 100, settleMs: 100 } });
    const events = await room.until(reaper, 'breaker-tripped');
    expect(said(events)).toEqual(['chosen deaf', 'failed deaf', 'breaker-tripped deaf']);
    expect(await room.names()).toEqual(['deaf']);
    const { standing } = await room.round(reaper);
    expect(standing).toMatchObject({
      mode: 'shadow',
      wanted: 'enforce',
      breaker: { session: { name: 'deaf' } },
    });
    expect(room.modes.read()).toMatchObject({ mode: 'enforce', breaker: { code: 'failed' } });
    expect(await notesIn()).toContain('reap-breaker deaf by daemon');
    const anew = await room.compose();
    expect((await room.round(anew)).standing.mode).toBe('shadow');
    room.modes.set('enforce');
    const after = await room.round(reaper);
    expect(after.standing).toMatchObject({ mode: 'enforce', breaker: null });
    expect(after.standing.sessions[0]?.guard?.code).toBe('set-aside');
  });

  it.each(['hands', 'slot', 'budget'])(
    'holds where it cannot be kept, and what throws trips it too: the %s',
    async (culprit) => {
      const fails = (what: string) => {
        if (what === culprit) throw new Error(`no ${what}`);
      };
      room = new ReapingRoom();
      room.modes.set('enforce');
      await room.worker('idle');
      const { look } = await room.eyes();
      const { screens } = await room.eyes();
      const take = () => {
        fails('budget');
        return { state: 'taken' as const, settle: () => fails('slot') };
      };
      const reaper = createReaper({
        ...{ look, screens, policy: room.settings.reaper, timings: SHORT, argv: [] },
        now: () => room.host.now(),
        modes: { ...room.modes, trip: () => 'the disk is full' },
        budgets: { read: () => ({ perHour: 6, used: 0, freeAt: null, problem: null }), take },
        record: async () => {},
        async withHands(work) {
          fails('hands');
          return work(await room.eyes());
        },
      });
      const events = await room.until(reaper, 'breaker-tripped');
      expect(events.at(-1)).toMatchObject({ code: 'thrown', text: `no ${culprit}` });
      expect((await room.round(reaper)).standing).toMatchObject({
        mode: 'shadow',
        breaker: { code: 'thrown' },
      });
      expect(room.modes.read().breaker).toBeNull();
      // Only where the close itself was done before something threw it is gone.
      expect(await room.names()).toEqual(culprit === 'slot' ? [] : ['idle']);
    },
  );
});

describe('shadow', () => {
  it('names one after the other and touches nothing', async () => {
    room = new ReapingRoom();
    await room.workers(['idle-1', 'idle-2']);
    const reaper = await room.compose();
    const events = await room.until(reaper, 'would-close', 2);
    expect(events.map(({ kind }) => kind)).toEqual(['chosen', 'would-close', 'chosen', 'would-close']);
    expect(new Set(events.map(({ session }) => session?.name)).size).toBe(2);
    const { standing } = await room.round(reaper);
    expect(standing).toMatchObject({ mode: 'shadow', wanted: 'shadow', budget: { used: 2 } });
    expect(await room.names()).toEqual(['idle-1', 'idle-2']);
    const hands = await room.eyes();
    expect(receiptsIn(hands)).toEqual([]);
    expect(entriesOf(hands).filter(({ kind }) => kind === 'intent')).toEqual([]);
    expect(await notesIn()).toContain('reap-would-close idle-2 by daemon');
  });

  it('S36: is what a damaged mode means, and the standing says why', async () => {
    room = new ReapingRoom();
    writeFileSync(join(room.state, 'rollcall', 'reaper.json'), '{"mode":"enforce"');
    await room.worker('idle');
    const { standing } = await room.round(await room.compose());
    expect(standing).toMatchObject({ mode: 'shadow', problem: expect.stringContaining('reaper.json') });
  });
});

describe('what goes wrong around it', () => {
  it('S36: nothing is chosen that cannot be recorded', async () => {
    room = new ReapingRoom();
    room.modes.set('enforce');
    await room.worker('idle');
    const { look, screens } = await room.eyes();
    const reaper = createReaper({
      ...{ look, screens, policy: room.settings.reaper, timings: SHORT, argv: [], modes: room.modes },
      now: () => room.host.now(),
      budgets: {
        read: () => ({ perHour: 6, used: 0, freeAt: null, problem: null }),
        take: () => ({ state: 'settling' }),
      },
      record: () => Promise.reject(new Error('the disk is full')),
      withHands: () => Promise.reject(new Error('nobody asks for hands')),
    });
    const [event] = await room.until(reaper, 'skipped');
    expect(event).toMatchObject({ kind: 'skipped', code: 'unrecorded', text: 'the disk is full' });
    const { standing } = await room.round(reaper);
    expect(standing.pending).toBeNull();
    expect(standing.sessions[0]?.guard?.code).toBe('set-aside');
  });

  it('S32 S37: a screen that cannot be captured proves no rest, and a round that throws is told once', async () => {
    room = new ReapingRoom();
    room.modes.set('enforce');
    await room.worker('idle');
    const { look } = await room.eyes();
    let how: 'fails' | 'throws' = 'fails';
    const reaper = createReaper({
      ...{ look, policy: room.settings.reaper, timings: SHORT, argv: [], modes: room.modes },
      screens: {
        async capture(_, paneIds) {
          if (how === 'throws') throw new Error('tmux hangs');
          return paneIds.map((paneId) => ({ state: 'failed', paneId, observedAt: 0, text: 'no answer' }));
        },
      },
      now: () => room.host.now(),
      budgets: {
        read: () => ({ perHour: 6, used: 0, freeAt: null, problem: null }),
        take: () => ({ state: 'settling' }),
      },
      record: async () => {},
      withHands: () => Promise.reject(new Error('nobody asks for hands')),
    });
    const startedMs = room.host.now().awakeMs;
    await until('the confirm window would be over', async () => {
      const { standing, events } = await room.round(reaper);
      expect(events).toEqual([]);
      expect(standing.sessions[0]?.relief).toBeNull();
      return room.host.now().awakeMs - startedMs > 1500;
    });
    how = 'throws';
    expect((await room.round(reaper)).events).toMatchObject([{ kind: 'skipped', code: 'round-failed' }]);
    expect((await room.round(reaper)).events).toEqual([]);
  });

  it('goes on with its rounds while a close is under way, and chooses nobody else', async () => {
    room = new ReapingRoom();
    room.modes.set('enforce');
    await room.worker('idle');
    await room.worker('other');
    let goAhead: () => void = () => {};
    const told = new Promise<void>((resolve) => {
      goAhead = resolve;
    });
    const reaper = await room.compose({
      async openHands() {
        await told;
        return room.hands();
      },
    });
    const isClosing = async () => (await room.round(reaper)).standing.isClosing === true;
    await until('a close begins', isClosing);
    for (let round = 0; round < 3; round += 1) {
      const { standing, events } = await room.round(reaper);
      expect([standing.isClosing, events]).toEqual([true, []]);
    }
    goAhead();
    expect(said(await room.until(reaper, 'closed'))).toEqual([
      expect.stringMatching(/^closed (idle|other)$/),
    ]);
    expect(await room.names()).toHaveLength(1);
  });

  it('a stop lets a close under way end, and chooses nothing more', async () => {
    room = new ReapingRoom();
    room.modes.set('enforce');
    await room.worker('idle');
    const reaper = await room.compose();
    const isClosing = async () => (await room.round(reaper)).standing.isClosing === true;
    await until('a close begins', isClosing);
    await reaper.stop();
    expect(await room.names()).toEqual([]);
    const notes = entriesOf(await room.hands()).filter(({ action }) => action.startsWith('reap-'));
    expect(notes.map(({ action }) => action)).toEqual(['reap-chosen', 'reap-closed']);
    await room.worker('next');
    for (let round = 0; round < 4; round += 1) expect((await room.round(reaper)).events).toEqual([]);
  });

  it('somebody who switches it off while it looks is heard', async () => {
    room = new ReapingRoom();
    room.modes.set('enforce');
    await room.worker('idle');
    const { look } = await room.eyes();
    let isChosen = false;
    const reaper = await room.compose({
      async look(options) {
        const roll = await look(options);
        if (isChosen) room.modes.set('off');
        return roll;
      },
    });
    await room.until(reaper, 'chosen');
    isChosen = true;
    const events = await room.until(reaper, 'mode-changed');
    expect(said(events)).toEqual(['mode-changed', 'spared idle']);
    expect(await room.names()).toEqual(['idle']);
  });
});
