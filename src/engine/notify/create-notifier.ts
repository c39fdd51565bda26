import { carriedOver, emptyMemory, type NotifyMemory } from '../../core/notify/memory.ts';
import { notifyRound } from '../../core/notify/notify-round.ts';
import type { Matches, NotifyPolicy } from '../../core/notify/rule.ts';
import type { Round } from '../../core/supervision/round.ts';
import type { NotifyStore } from '../../ports/notify.ts';
import type { RoundObserver } from '../daemon/desk.ts';
import { type NotifyCounts, Outbox, type OutboxParts } from './outbox.ts';

export interface NotifierParts extends OutboxParts {
  readonly policy: NotifyPolicy;
  readonly store: NotifyStore;
  readonly matches: Matches;
  /** What is under way has at its end; shortened by tests. */
  readonly stopGraceMs?: number;
}

/** Tells people what the rounds saw. */
export interface Notifier {
  /** Decides at once and sends in the background: no round waits for a sink. */
  readonly observe: RoundObserver;
  /** Lets what is under way end; what was not sent then is lost: told twice would be worse. */
  stop(): Promise<void>;
  /** Of each rule, for whoever measures. */
  counts(): ReadonlyMap<string, NotifyCounts>;
}

/** A daemon that is told to end has other things to do. */
const STOP_GRACE_MS = 3000;

/** Makes the notifier; the memory is read at the first round. */
export function createNotifier(parts: NotifierParts): Notifier {
  const { policy, store, matches, log, stopGraceMs = STOP_GRACE_MS } = parts;
  const outboxes = new Map(policy.rules.map((rule) => [rule.name, new Outbox(rule, parts)]));
  let memory: NotifyMemory | null = null;
  let isSaving = true;
  const save = (value: NotifyMemory) => {
    const problem = store.save(value);
    // Said once, not at every round.
    if (problem !== null && isSaving) log(`what was told is not remembered: ${problem}`);
    isSaving = problem === null;
  };
  return {
    observe(round) {
      if (policy.rules.length === 0) return;
      memory ??= recall(store, round, log);
      const notified = notifyRound(memory, round, policy, matches);
      memory = notified.memory;
      // Before anything is sent: a daemon that dies now must not make the next one tell it again.
      if (notified.isChanged) save(memory);
      for (const { rule, notification } of notified.outgoing) outboxes.get(rule.name)?.put(notification);
    },
    async stop() {
      await Promise.all([...outboxes.values()].map((outbox) => outbox.stop(stopGraceMs)));
    },
    counts: () => new Map([...outboxes].map(([name, outbox]) => [name, outbox.counts])),
  };
}

function recall(store: NotifyStore, { now, roll }: Round, log: (text: string) => void): NotifyMemory {
  const { bootId } = roll.host;
  const { value, problem } = store.load();
  if (problem !== undefined) log(`what was told before is not known: ${problem}`);
  return value === null ? emptyMemory(bootId) : carriedOver(value, bootId, now);
}
