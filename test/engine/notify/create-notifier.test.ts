import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../../src/config/glob.ts';
import type { NotifyMemory } from '../../../src/core/notify/memory.ts';
import type { Notification } from '../../../src/core/notify/notification.ts';
import type { NotifyPolicy } from '../../../src/core/notify/rule.ts';
import { createNotifier } from '../../../src/engine/notify/create-notifier.ts';
import type { Delivery, NotifyStore, SendNotification } from '../../../src/ports/notify.ts';
import { policy, round, rule, waiting } from '../../core/notify/rounds.ts';
import { until } from '../../support/until.ts';

interface Scene {
  readonly send?: SendNotification;
  readonly store?: NotifyStore;
  readonly policy?: Partial<NotifyPolicy>;
}

function notifier(scene: Scene = {}) {
  const sent: Notification[] = [];
  const logged: string[] = [];
  const made = createNotifier({
    policy: policy(scene.policy),
    store: scene.store ?? storeOf(),
    matches: matchesGlob,
    log: (text) => logged.push(text),
    pausesMs: [1, 2],
    stopGraceMs: 20,
    send: async (to, notification, signal) => {
      const delivery = await (scene.send ?? accept)(to, notification, signal);
      if (delivery.state === 'sent') sent.push(notification);
      return delivery;
    },
  });
  const names = () => sent.map(({ session }) => session?.name);
  return { made, sent, logged, names, counts: () => made.counts().get('all') };
}

const accept: SendNotification = async () => ({ state: 'sent', text: 'ok' });
const FAILED: Delivery = { state: 'failed', text: 'nobody there' };

function storeOf(value: NotifyMemory | null = null) {
  const kept = { value, saves: 0, problem: null as string | null };
  return {
    kept,
    load: () => ({ value: kept.value }),
    save(next: NotifyMemory) {
      kept.value = next;
      kept.saves += 1;
      return kept.problem;
    },
  };
}

const A = { sessions: [waiting('a')] };
const many = (count: number) => Array.from({ length: count }, (_, index) => waiting(`s${index}`));

describe('the notifier', () => {
  it('sends what a round tells, and remembers it', async () => {
    const store = storeOf();
    const { made, names, counts } = notifier({ store });
    made.observe(round(A));
    made.observe(round(A));
    await made.stop();
    expect(names()).toEqual(['a']);
    expect(store.kept.saves).toBe(1);
    expect(counts()).toEqual({ sent: 1, failed: 0, dropped: 0 });
  });

  it('S50: remembers before it sends, so that a daemon that dies then does not make the next one tell it again', async () => {
    const store = storeOf();
    let savedFirst = false;
    const first = notifier({
      store,
      send: async () => {
        savedFirst = store.kept.saves === 1;
        return { state: 'sent', text: 'ok' };
      },
    });
    first.made.observe(round(A));
    expect(savedFirst).toBe(true);
    const second = notifier({ store });
    second.made.observe(round({ ...A, afterMs: 1000 }));
    await second.made.stop();
    expect(second.names()).toEqual([]);
  });

  it('does nothing without rules', () => {
    const store = storeOf();
    const { made } = notifier({ store, policy: { rules: [] } });
    made.observe(round(A));
    expect(store.kept.saves).toBe(0);
    expect(made.counts().size).toBe(0);
  });

  it('never makes a round wait, whatever a sink does', async () => {
    const { made, counts } = notifier({
      send: (_, __, signal) =>
        new Promise((resolve) => signal?.addEventListener('abort', () => resolve(FAILED))),
    });
    for (let time = 0; time < 50; time += 1) made.observe(round({ sessions: many(5), afterMs: time }));
    expect(counts()).toEqual({ sent: 0, failed: 0, dropped: 0 });
    await made.stop();
    expect(counts()).toEqual({ sent: 0, failed: 1, dropped: 5 });
  });

  it('tries a sink that failed again, with growing pauses, in order, and says when it is back', async () => {
    let left = 3;
    const { made, names, logged, counts } = notifier({
      send: async () => {
        left -= 1;
        return left >= 0 ? FAILED : { state: 'sent', text: 'ok' };
      },
    });
    made.observe(round({ sessions: many(3) }));
    await until('all are sent', names, (all) => all.length === 3);
    expect(names()).toEqual(['s0', 's1', 's2']);
    expect(counts()).toEqual({ sent: 3, failed: 3, dropped: 0 });
    expect(logged).toEqual([
      ...Array(3).fill('notification by rule all failed: nobody there'),
      'notification by rule all is sent again, after 3 failures',
    ]);
    await made.stop();
  });

  it('gives up what has failed five times, and goes on with the next', async () => {
    const { made, names, logged, counts } = notifier({
      send: async (_, { session }) => (session?.name === 's0' ? FAILED : { state: 'sent', text: 'ok' }),
    });
    made.observe(round({ sessions: many(2) }));
    await until('the second is sent', names, (all) => all.length === 1);
    expect(names()).toEqual(['s1']);
    expect(counts()).toEqual({ sent: 1, failed: 5, dropped: 1 });
    expect(logged).toContain('notification by rule all failed: nobody there; given up after 5 tries');
    await made.stop();
  });

  it('keeps at most a hundred waiting, the latest of them', async () => {
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { made, names, counts } = notifier({
      policy: { perHour: 600 },
      send: async () => {
        await gate;
        return { state: 'sent', text: 'ok' };
      },
    });
    for (let count = 10; count <= 150; count += 10) made.observe(round({ sessions: many(count) }));
    expect(counts()?.dropped).toBe(50);
    open();
    await made.stop();
    expect(names()).toEqual(['s0', ...Array.from({ length: 99 }, (_, index) => `s${index + 51}`)]);
  });

  it('sends nothing after its end', async () => {
    const { made, names } = notifier();
    await made.stop();
    made.observe(round(A));
    await made.stop();
    expect(names()).toEqual([]);
  });

  it('leaves a pause at its end, and says what was not sent', async () => {
    const { made, logged, counts } = notifier({ send: async () => FAILED });
    made.observe(round({ sessions: many(4) }));
    await made.stop();
    expect(counts()).toEqual({ sent: 0, failed: 1, dropped: 4 });
    expect(logged.at(-1)).toBe('notification by rule all was not sent before the end: 4 left');
  });

  it('lets one sink that hangs keep no other', async () => {
    const rules = [rule({ name: 'slow' }), rule({ name: 'quick' })];
    const { made, names } = notifier({
      policy: { rules },
      send: (to, _, signal) =>
        to.name === 'quick'
          ? Promise.resolve({ state: 'sent', text: 'ok' })
          : new Promise((resolve) => signal?.addEventListener('abort', () => resolve(FAILED))),
    });
    made.observe(round({ sessions: many(3) }));
    await until('the quick one has sent all', names, (all) => all.length === 3);
    await made.stop();
  });

  it('S36: goes on where nothing can be remembered, and says so once', async () => {
    const store = storeOf();
    store.kept.problem = 'the disk is full';
    const { made, names, logged } = notifier({ store });
    made.observe(round(A));
    made.observe(round({ sessions: many(2) }));
    await made.stop();
    expect(names()).toEqual(['a', 's0', 's1']);
    expect(logged).toEqual(['what was told is not remembered: the disk is full']);
  });

  it('says where the memory of the last daemon is not to be had', async () => {
    const { made, logged } = notifier({
      store: { load: () => ({ value: null, problem: 'it is damaged' }), save: () => null },
    });
    made.observe(round(A));
    await made.stop();
    expect(logged).toEqual(['what was told before is not known: it is damaged']);
  });
});
