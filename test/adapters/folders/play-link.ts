import type { HostAnswer, Link, Said } from '../../../src/adapters/folders/link.ts';

type Asked = Extract<Said, { kind: 'question' }>;

/** A host that is played: it answers in order, and stops at the first question about something that is dead. */
export class PlayLink implements Link {
  readonly heard: Asked[] = [];
  readonly shared: unknown[] = [];
  isEnded = false;
  /** What another process would have had of the processor. */
  ticks: number | null = 0;
  readonly #dead: ReadonlySet<string>;
  readonly #queue: Asked[] = [];
  #told: (told: HostAnswer) => void = () => {};
  #ended: () => void = () => {};

  constructor(dead: ReadonlySet<string>) {
    this.#dead = dead;
  }

  say(said: Said): void {
    if (said.kind === 'shared') this.shared.push(said.value);
    if (said.kind === 'ping' && !this.#isHeld()) queueMicrotask(() => this.#told({ kind: 'pong' }));
    if (said.kind !== 'question') return;
    this.heard.push(said);
    this.#queue.push(said);
    queueMicrotask(() => this.goOn());
  }

  /** Answers whatever can be answered by now. */
  goOn(): void {
    while (this.#queue.length > 0 && !this.#isHeld()) {
      const { id, words } = this.#queue.shift() as Asked;
      this.#told({ kind: 'answer', id, value: `${String(words[0])} answers` });
    }
  }

  onTold(listener: (told: HostAnswer) => void): void {
    this.#told = listener;
  }

  onEnd(listener: () => void): void {
    this.#ended = listener;
  }

  busyness() {
    return this.ticks === null ? null : { isRunning: false, ticks: this.ticks };
  }

  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.#ended();
  }

  #isHeld(): boolean {
    return this.#queue[0] !== undefined && this.#dead.has(String(this.#queue[0].words[0]));
  }
}
