import type { ConversationClues } from '../../../src/core/conversation/clues.ts';
import type { Layout } from '../../../src/core/layout/layout.ts';
import type { EndRecord } from '../../../src/core/memory/ended.ts';
import type { Start } from '../../../src/core/sight/start.ts';
import type { Conversations } from '../../../src/ports/conversations.ts';
import type { Ends, Layouts, Starts } from '../../../src/ports/records.ts';
import type { WrittenEnd } from '../machine/tmux-parts.ts';
import { digest } from './digest.ts';
import type { Seat } from './seat.ts';

interface Dated<T> {
  readonly value: T;
  readonly keptAt: number;
}

interface KeptCopy {
  readonly clues: ConversationClues;
  readonly files: readonly string[];
  readonly digest: string;
}

/** How rollcall started what runs. */
export function starts(seat: Seat): Starts {
  const kept = filesOf<Dated<Start>>(seat, 'starts');
  return {
    keep(start) {
      seat.step();
      refuse(seat, 'starts');
      kept.set(start.run, { value: start, keptAt: seat.machine.clock.at });
    },
    of: (run) => kept.get(run)?.value ?? null,
    all: () => [...kept].map(([run, { keptAt }]) => ({ run, keptAt })),
    drop(run) {
      seat.step();
      kept.delete(run);
    },
  };
}

/** Ends of programs, as the hook of tmux wrote them down. */
export function ends(seat: Seat): Ends {
  const { ends: written } = seat.install;
  const records = new WeakMap<WrittenEnd, EndRecord>();
  const recordOf = (end: WrittenEnd): EndRecord => {
    const known = records.get(end);
    if (known !== undefined) return known;
    const { run, status, signal, endedAt, lines, pid, sessions } = end;
    const record = {
      run,
      exitStatus: status,
      exitSignal: signal?.replace(/^SIG/, '') ?? null,
      endedAt,
      lines,
      pid,
      sessions,
    };
    records.set(end, record);
    return record;
  };
  return {
    all: () => [...written.values()].map(recordOf),
    of(run) {
      const end = written.get(run);
      return end === undefined ? null : recordOf(end);
    },
    drop(run) {
      seat.step();
      written.delete(run);
    },
  };
}

/** How sessions under care were last seen. */
export function layouts(seat: Seat): Layouts {
  const kept = filesOf<Dated<Layout>>(seat, 'layouts');
  return {
    of(key) {
      const found = kept.get(key);
      return found === undefined ? { state: 'absent' } : { state: 'read', layout: found.value };
    },
    keep(layout) {
      seat.step();
      refuse(seat, 'layouts');
      kept.set(layout.key, { value: layout, keptAt: seat.machine.clock.at });
    },
    all: () => [...kept].map(([key, { keptAt }]) => ({ key, keptAt })),
    drop(key) {
      seat.step();
      kept.delete(key);
    },
  };
}

/** Copies of the conversations of closed sessions. */
export function conversations(seat: Seat): Conversations {
  const { machine, install } = seat;
  const kept = filesOf<KeptCopy>(seat, 'conversations');
  return {
    async keep(name, clues, files) {
      seat.step();
      const objection = install.objection() ?? (seat.fault('conversations') && 'it cannot be written');
      if (objection) return { state: 'not-kept', text: objection };
      const turns = machine.conversations.get(clues.conversation)?.turns ?? [];
      const copy = kept.get(name) ?? {
        clues,
        files,
        digest: digest(JSON.stringify([clues.conversation, turns])),
      };
      kept.set(name, copy);
      machine.journal.note(seat.by, { what: 'conversation-kept', install: install.name, id: name });
      return { state: 'kept', digest: copy.digest, bytes: 1000, leaving: [] };
    },
    async putBack(name, whole) {
      seat.step();
      const copy = kept.get(name);
      if (copy === undefined) return { state: 'absent', removedAt: null };
      if (copy.digest !== whole) return { state: 'changed', text: 'it is not what was kept' };
      const found = machine.conversations.get(copy.clues.conversation);
      if (found === undefined || found.isThere) return { state: 'done', paths: [] };
      found.isThere = true;
      return { state: 'done', paths: [found.path] };
    },
    cluesOf: (name) => kept.get(name)?.clues ?? null,
    list: () => ({ bytes: kept.size * 1000, count: kept.size, removed: [] }),
  };
}

/** Files of a folder of the install; they are on the disk as soon as they are written. */
function filesOf<T>({ install }: Seat, folder: string): Map<string, T> {
  const file = install.file<Map<string, T>>(folder);
  const known = file.now ?? new Map<string, T>();
  file.write(known, true);
  return known;
}

function refuse(seat: Seat, port: 'starts' | 'layouts'): void {
  const objection = seat.install.objection() ?? (seat.fault(port) && 'it cannot be written');
  if (objection) throw new Error(objection);
}
