import type { JsonObject } from '../../../src/core/ledger/json.ts';
import { wordsOf } from './acts.ts';
import { isClose } from './deeds.ts';
import type { Law } from './law.ts';

/** What was declared; a time counts from then, however late the answer comes. */
interface Told {
  readonly action: string;
  readonly install: string;
  readonly key: string;
  readonly sequence: number;
  readonly body: JsonObject;
  readonly awakeMs: number;
}

export const answeredHolds: Law = {
  name: 'answered-holds',
  sentence:
    'once a hold, or a time for which it is kept, was answered with done, nothing is done to the session until that is over',
  watch({ deeds, machine }) {
    /** Declared by a command that has not answered yet. */
    const told = new Map<string, Told[]>();
    /** The last entry that took one back: it may come before the answer to the one that it takes back. */
    const over = new Map<string, number>();
    const held = new Set<string>();
    /** By install: a hold is marked on the session, and a retention only in the ledger. */
    const kept = new Map<string, { readonly untilAwakeMs: number; readonly untilAt: number }>();
    const answered = ({ action, install, key, body, awakeMs }: Told) => {
      if (action === 'hold') held.add(key);
      if (action !== 'retain') return;
      const forMs = typeof body.forMs === 'number' ? body.forMs : null;
      const until = typeof body.until === 'number' ? body.until : Number.POSITIVE_INFINITY;
      kept.set(`${install} ${key}`, {
        untilAwakeMs: awakeMs + (forMs ?? 0),
        untilAt: forMs === null ? until : 0,
      });
    };
    return {
      on(entry) {
        if (entry.what === 'recorded' && entry.kind === 'declared' && entry.key !== null) {
          const { action, key, install, sequence, by } = entry;
          if (action === 'unhold') {
            held.delete(key);
            over.set(`hold ${install} ${key}`, sequence);
          }
          if (action === 'retain' || action === 'cancel') {
            kept.delete(`${install} ${key}`);
            over.set(`retain ${install} ${key}`, sequence);
          }
          told.set(by, [
            ...(told.get(by) ?? []),
            {
              action,
              install,
              key,
              sequence,
              body: deeds.entryAt(install, sequence).body,
              awakeMs: machine.clock.awakeMs,
            },
          ]);
        }
        if (entry.what === 'answered') {
          for (const one of told.get(`rollcall:${entry.seat}`) ?? []) {
            const isOver = (over.get(`${one.action} ${one.install} ${one.key}`) ?? 0) > one.sequence;
            if (entry.answer === 'done' && !isOver) answered(one);
          }
          told.delete(`rollcall:${entry.seat}`);
        }
        return null;
      },
      before(act) {
        const { deed, session } = act;
        if (deed === null || session === null || !isClose(deed) || act.doing.what === 'press') return null;
        const despite = deed.closing.despite ?? [];
        if (held.has(session.key) && !despite.includes('held'))
          return `${act.by} ${wordsOf(act)}, and a hold of it was answered`;
        const keeping = deed.isAutomatic ? kept.get(`${deed.install} ${session.key}`) : undefined;
        const { at, awakeMs } = machine.clock;
        if (keeping !== undefined && (awakeMs < keeping.untilAwakeMs || at < keeping.untilAt))
          return `${act.by} ${wordsOf(act)}, and to keep it was answered`;
        return null;
      },
    };
  },
};
