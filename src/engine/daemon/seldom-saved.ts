import type { Recollection } from '../../core/memory/recollection.ts';
import type { RecollectionStore } from '../../ports/recollection-store.ts';

/** A daemon remembers by itself; what it saves is for other processes, and for the one after it. */
const EVERY_MS = 30_000;

/**
 * A store that saves a few times a minute instead of with every look: of many sessions, saving costs as much as looking.
 * What ends a completion, or makes a shell a person's, is saved at once: a daemon that is killed must not forget it.
 */
export function seldomSaved(store: RecollectionStore, everyMs = EVERY_MS) {
  let savedAt = Number.NEGATIVE_INFINITY;
  let held: Recollection | null = null;
  let problem: string | null = null;
  let savedEnds = '';
  const save = (value: Recollection, ends = endsIn(value)) => {
    held = null;
    savedAt = value.awakeMs;
    problem = store.save(value);
    if (problem === null) savedEnds = ends;
    return problem;
  };
  return {
    load: () => store.load(),
    news: () => store.news?.() ?? null,
    save(value: Recollection): string | null {
      const ends = endsIn(value);
      if (ends !== savedEnds || value.awakeMs - savedAt >= everyMs) return save(value, ends);
      held = value;
      return problem;
    },
    /** Saves what was held back. */
    flush(): void {
      if (held !== null) save(held);
    },
  };
}

function endsIn({ servers }: Recollection): string {
  const sessions = Object.values(servers).flatMap((server) => Object.entries(server.sessions));
  const ends = sessions.flatMap(([key, { panes }]) =>
    Object.entries(panes).flatMap(([paneId, { word, entered, agentSeen, input }]) => {
      // The first glance at what an agent left is the one that all later ones are compared with.
      const isLeft = agentSeen !== undefined && input !== undefined;
      const { used, restedAt } = word ?? {};
      const isAny = isLeft || [used, restedAt, entered].some((one) => one !== undefined);
      return isAny ? [[key, paneId, isLeft, used, restedAt, entered]] : [];
    }),
  );
  return JSON.stringify(ends);
}
