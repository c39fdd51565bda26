import type { Moment } from '../../../src/core/text/moment.ts';

/** Takes a timer back. */
export type Cancel = () => void;

interface Timed {
  readonly due: number;
  readonly order: number;
  readonly call: () => void;
  isOff: boolean;
}

const BOOT_MS = 8000;

/**
 * The only clock of a world. Nothing moves it but `runUntil`, which goes from one timed call to the next and lets everything
 * that a call set going come to rest before it goes on. Three times are told:
 * - `ms`: since the world began, suspensions included; stories are written in it;
 * - awake time: stands still while the machine is suspended; what processes wait for is counted in it;
 * - the wall clock (`at`), which somebody can step and which may drift.
 */
export class SimClock {
  readonly #awake: Timed[] = [];
  readonly #story: Timed[] = [];
  #order = 0;
  #awakeMs = 0;
  #slept = 0;
  #bootedAwakeMs = 0;
  #bootedSlept = 0;
  #epoch: number;
  #driftFrom = 0;
  #driftPpm = 0;
  #isStirred = false;

  /** `epoch`: what the wall clock shows when the world begins. `upMs`: for how long the machine has run by then. */
  constructor(epoch: number, upMs: number) {
    this.#epoch = epoch;
    this.#bootedAwakeMs = -upMs;
  }

  get ms(): number {
    return this.#awakeMs + this.#slept;
  }

  /** The wall clock, epoch ms. */
  get at(): number {
    return Math.floor(this.#epoch + this.ms + ((this.ms - this.#driftFrom) * this.#driftPpm) / 1e6);
  }

  /** Since boot. */
  get awakeMs(): number {
    return this.#awakeMs - this.#bootedAwakeMs;
  }

  /** Since boot. */
  get suspendedMs(): number {
    return this.#slept - this.#bootedSlept;
  }

  /** Clock ticks since boot (CLOCK_BOOTTIME, 100 a second): the start mark of a process. */
  get ticks(): number {
    return Math.floor((this.awakeMs + this.suspendedMs) / 10);
  }

  get seconds(): number {
    return Math.floor(this.at / 1000);
  }

  moment(): Moment {
    return { at: this.at, awakeMs: this.awakeMs, suspendedMs: this.suspendedMs };
  }

  /** Somebody sets the wall clock. */
  step(byMs: number): void {
    this.#epoch += byMs;
  }

  /** From now on the wall clock runs faster (or slower) by so many millionths. */
  drift(ppm: number): void {
    this.#epoch += Math.round(((this.ms - this.#driftFrom) * this.#driftPpm) / 1e6);
    [this.#driftFrom, this.#driftPpm] = [this.ms, ppm];
  }

  /** The machine sleeps for so long: nothing in it runs, and what should have come from outside comes when it is awake again. */
  suspend(forMs: number): void {
    this.#slept += forMs;
  }

  /** The machine begins a new boot: its clocks since boot begin again, some time before anybody can do anything. */
  reboot(): void {
    this.#bootedAwakeMs = this.#awakeMs - BOOT_MS;
    this.#bootedSlept = this.#slept;
  }

  /** Calls back after so much awake time. */
  after(ms: number, call: () => void): Cancel {
    return this.#put(this.#awake, this.#awakeMs + Math.max(0, ms), call);
  }

  /** Calls back at this time of the story. */
  atMs(ms: number, call: () => void): Cancel {
    return this.#put(this.#story, Math.max(ms, this.ms), call);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, () => {
        this.stir();
        resolve();
      });
    });
  }

  /** Somebody waits for what happens now: it comes to rest before time goes on. Whoever settles a promise says so. */
  stir(): void {
    this.#isStirred = true;
  }

  /** Lets the world go on until then. Whatever throws ends it. */
  async runUntil(ms: number, isOver: () => boolean = () => false): Promise<void> {
    await settled();
    for (;;) {
      if (isOver()) return;
      const next = this.#next(ms);
      if (next === null) break;
      this.#isStirred = false;
      next.call();
      if (this.#isStirred) await settled();
    }
    this.#awakeMs = Math.max(this.#awakeMs, ms - this.#slept);
  }

  /** Takes the next call until then and moves time to it; null where there is none. */
  #next(until: number): Timed | null {
    const [awake, story] = [first(this.#awake), first(this.#story)];
    const awakeDue = awake === undefined ? Number.POSITIVE_INFINITY : awake.due + this.#slept;
    const storyDue = story === undefined ? Number.POSITIVE_INFINITY : story.due;
    const due = Math.min(awakeDue, storyDue);
    if (due > until) return null;
    this.#awakeMs = Math.max(this.#awakeMs, due - this.#slept);
    const isStory =
      storyDue < awakeDue ||
      (storyDue === awakeDue && story !== undefined && awake !== undefined && story.order < awake.order);
    return pop(isStory ? this.#story : this.#awake);
  }

  #put(heap: Timed[], due: number, call: () => void): Cancel {
    const timed: Timed = { due, order: this.#order, call, isOff: false };
    this.#order += 1;
    heap.push(timed);
    rise(heap, heap.length - 1);
    return () => {
      timed.isOff = true;
    };
  }
}

/** One turn of the event loop: all that was waiting for what was settled has run by then. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function first(heap: Timed[]): Timed | undefined {
  while (heap[0]?.isOff) pop(heap);
  return heap[0];
}

function isBefore(one: Timed, other: Timed): boolean {
  return one.due === other.due ? one.order < other.order : one.due < other.due;
}

function rise(heap: Timed[], from: number): void {
  let at = from;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!swapIf(heap, at, above)) return;
    at = above;
  }
}

function pop(heap: Timed[]): Timed | null {
  const top = heap[0];
  const last = heap.pop();
  if (top === undefined || last === undefined) return null;
  if (heap.length === 0) return top;
  heap[0] = last;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return top;
    const [one, other] = [heap[left] as Timed, heap[left + 1]];
    const least = other !== undefined && isBefore(other, one) ? left + 1 : left;
    if (!swapIf(heap, least, at)) return top;
    at = least;
  }
}

/** Puts the lower one above where it comes first. */
function swapIf(heap: Timed[], lower: number, upper: number): boolean {
  const [below, above] = [heap[lower] as Timed, heap[upper] as Timed];
  if (!isBefore(below, above)) return false;
  heap[upper] = below;
  heap[lower] = above;
  return true;
}
