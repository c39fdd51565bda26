import { type Deed, isClose } from './deeds.ts';
import type { Law } from './law.ts';

const HOUR = 3_600_000;

/** A close under pressure that was carried out: when it was over, on the awake clock. */
interface Used {
  readonly deed: Deed;
  readonly bootId: string;
  readonly endedMs: number;
}

export const graceAndBudget: Law = {
  name: 'grace-and-budget',
  sentence:
    'one session at a time, after its grace and the pause, and no more in an hour than all daemons together may close',
  watch({ deeds, machine, kept, settings: { reaper } }) {
    const chosen = new Map<string, { readonly key: string | null; readonly awakeMs: number }>();
    const used: Used[] = [];
    const over = new Set<Deed>();
    const now = () => machine.clock.awakeMs;

    const note = (by: string, action: string, key: string | null) => {
      if (action === 'reap-chosen') chosen.set(by, { key, awakeMs: now() });
      if (action === 'reap-spared' || action === 'reap-skipped') chosen.delete(by);
    };

    const ended = () => {
      for (const deed of deeds.all) {
        const [outcome] = deed.outcomes;
        if (over.has(deed) || outcome === undefined) continue;
        over.add(deed);
        const isUsed = deed.receipts.some(({ body }) => body.result === 'closed' || body.result === 'asleep');
        // One that was cut short counts from its beginning: nobody can tell when it was over.
        const endedMs = outcome.body.recovered === true ? deed.awakeMs : now();
        if (isUsed && isUnderPressure(deed)) used.push({ deed, bootId: machine.host.bootId, endedMs });
      }
    };

    const judge = (deed: Deed): string | null => {
      const name = deed.entry.session?.name;
      // One whose outcome could not be recorded is over all the same.
      const isUnderWay = ({ install, by, entry }: Deed) =>
        entry.session !== null && kept.holder(install, entry.session) === by.slice('rollcall:'.length);
      const beside = [...deeds.open()].find(
        (other) =>
          other !== deed && other.isAutomatic && other.by === deed.by && isEnding(other) && isUnderWay(other),
      );
      if (beside !== undefined)
        return `${name} is closed by itself while ${beside.entry.session?.name} still is`;
      if (!isUnderPressure(deed)) return null;
      const choice = chosen.get(deed.by);
      if (choice?.key !== deed.entry.session?.key) return `${name} is closed, and was not chosen before`;
      const graceMs = now() - (choice?.awakeMs ?? now());
      if (graceMs < reaper.graceMs)
        return `${name} is closed ${graceMs} ms after it was chosen; its grace is ${reaper.graceMs}`;
      const here = used.filter(({ bootId }) => bootId === machine.host.bootId);
      const last = here.at(-1);
      if (last !== undefined && now() - last.endedMs < reaper.settleMs)
        return `${name} is closed ${now() - last.endedMs} ms after ${last.deed.entry.session?.name}; the pause is ${reaper.settleMs}`;
      const lately = here.filter(({ endedMs }) => now() - endedMs < HOUR).length;
      return lately < reaper.perHour
        ? null
        : `${name} is closed after ${lately} others within the hour; ${reaper.perHour} may be`;
    };

    return {
      on(entry) {
        if (entry.what === 'rebooted') chosen.clear();
        if (entry.what !== 'recorded') return null;
        if (entry.kind === 'note') note(entry.by, entry.action, entry.key);
        if (entry.kind === 'outcome') ended();
        const deed = entry.kind === 'intent' ? deeds.all.at(-1) : undefined;
        // A schedule closes several at once that are due; a daemon never does.
        return deed?.entry.actor.kind === 'daemon' && isEnding(deed) ? judge(deed) : null;
      },
    };
  },
};

// What only records that a session is gone keeps no archive, and nothing may be done without one.
function isEnding(deed: Deed): boolean {
  return isClose(deed) && deed.closing.archive !== null;
}

export function isUnderPressure({ isAutomatic, closing }: Deed): boolean {
  return isAutomatic && closing.reason?.startsWith('memory pressure') === true;
}
