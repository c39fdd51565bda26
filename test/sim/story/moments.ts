import { SimAgent } from '../machine/agent.ts';
import type { JournalEntry } from '../machine/journal.ts';
import type { Machine } from '../machine/machine.ts';
import type { StoryEvent } from './story.ts';

/**
 * Moments of rollcall's own deeds that an event may wait for, from its time on: a session is chosen (its grace begins), an
 * intent is recorded, the nth lasting step, the exit command is typed, entered, somebody is signalled, the agent has gone,
 * the session is removed, the receipt or the outcome is recorded.
 */
export const MOMENTS = [
  'chosen',
  'intent',
  'step',
  'asked',
  'entered',
  'signalled',
  'left',
  'removed',
  'receipt',
  'outcome',
] as const;
export type MomentName = (typeof MOMENTS)[number];

/** A moment as it came. */
export interface Moment {
  readonly name: MomentName;
  readonly nth: number;
  readonly key: string | null;
  /** Name of the seat. */
  readonly seat: string | null;
}

interface Armed {
  readonly event: StoryEvent;
  readonly keyOf: () => string | null;
  readonly fire: (moment: Moment) => void;
}

const DEEDS: ReadonlySet<string> = new Set(['close', 'hibernate', 'wake', 'reopen', 'run']);

/** Hears what rollcall does, and lets the events happen that wait for it. */
export class Moments {
  readonly #machine: Machine;
  readonly #armed: Armed[] = [];
  readonly #open = new Map<string, { readonly key: string | null; steps: number }>();

  constructor(machine: Machine) {
    this.#machine = machine;
    machine.journal.onEntry((entry) => {
      if (this.#armed.length > 0 || entry.what === 'recorded' || entry.what === 'step') this.#on(entry);
    });
  }

  /** From now on it happens at the first moment that fits; `keyOf` null: at any session's. */
  arm(event: StoryEvent, keyOf: Armed['keyOf'], fire: Armed['fire']): void {
    this.#armed.push({ event, keyOf, fire });
  }

  #on(entry: JournalEntry): void {
    const moment = this.#momentOf(entry);
    if (moment === null) return;
    for (const armed of [...this.#armed]) {
      const { event, keyOf, fire } = armed;
      if (event.moment !== moment.name || Number(event.nth ?? 1) !== moment.nth) continue;
      const key = keyOf();
      if (key !== null && key !== moment.key) continue;
      this.#armed.splice(this.#armed.indexOf(armed), 1);
      this.#machine.clock.after(Number(event.afterMs ?? 0), () => fire(moment));
    }
  }

  #momentOf(entry: JournalEntry): Moment | null {
    const seat = entry.by.startsWith('rollcall:') ? entry.by.slice('rollcall:'.length) : null;
    const is = (name: MomentName, key: string | null, nth = 1): Moment => ({ name, nth, key, seat });
    switch (entry.what) {
      case 'recorded':
        return this.#recorded(entry, is);
      case 'step': {
        const deed = seat === null ? undefined : this.#open.get(seat);
        if (deed === undefined || entry.when !== 'before') return null;
        deed.steps += 1;
        return is('step', deed.key, deed.steps);
      }
      case 'typed':
        return seat === null ? null : is('asked', entry.key);
      case 'pressed':
        return seat === null || entry.button === 'BSpace' ? null : is('entered', entry.key);
      case 'signalled': {
        const deed = seat === null ? undefined : this.#open.get(seat);
        return deed === undefined ? null : is('signalled', deed.key);
      }
      case 'process-ended': {
        const program = this.#machine.processes.at(entry.pid)?.program;
        const [session] = program instanceof SimAgent ? program.pane.window.sessions : [];
        const deed = [...this.#open].find(([, { key }]) => key === session?.key);
        return deed === undefined ? null : { name: 'left', nth: 1, key: session?.key ?? null, seat: deed[0] };
      }
      case 'session-removed':
        return seat === null ? null : is('removed', entry.key);
      default:
        return null;
    }
  }

  #recorded(
    { kind, action, key, by }: Extract<JournalEntry, { what: 'recorded' }>,
    is: (name: MomentName, key: string | null) => Moment,
  ): Moment | null {
    const seat = by.slice('rollcall:'.length);
    if (kind === 'note' && action === 'reap-chosen') return is('chosen', key);
    if (!DEEDS.has(action)) return null;
    if (kind === 'intent') {
      this.#open.set(seat, { key, steps: 0 });
      return is('intent', key);
    }
    if (kind === 'receipt') return is('receipt', key);
    if (kind !== 'outcome') return null;
    this.#open.delete(seat);
    return is('outcome', key);
  }
}
