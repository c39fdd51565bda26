import { noAnswerText } from '../files/patience.ts';
import {
  createFolderChild,
  type FolderAnswer,
  type FolderChild,
  type FolderQuestion,
  SILENT_MS,
} from './folder-child.ts';
import type { StartLink } from './link.ts';

/** Hosts that hang at the same time. Each takes memory until its mount answers; beyond these nothing new is asked. */
const MOST_HANGING = 8;

const NO_ANSWER: FolderAnswer = { state: 'failed', text: noAnswerText(SILENT_MS) };
const TOO_MANY: FolderAnswer = {
  state: 'failed',
  text: 'too many folders give no answer at once: are their mounts alive?',
};

/**
 * Asks about folders in a process that can be left behind. One host answers everybody. A host that hangs is left behind
 * with its question, and another takes its place; that question is not asked again before it is answered. Which of
 * several open questions hangs is found out by asking the others one by one.
 */
export class FolderHost {
  readonly #start: StartLink;
  #current: FolderChild | null = null;
  /** Each is asked one question at a time, so that it is known what it hangs at. */
  readonly #trials = new Set<FolderChild>();
  readonly #hanging = new Set<FolderChild>();
  /** What gives no answer, and the host that waits for it. */
  readonly #stuck = new Map<string, FolderChild>();
  /** Questions that somebody waits for. */
  readonly #waiting = new Map<FolderQuestion, (answer: FolderAnswer) => void>();

  constructor(start: StartLink) {
    this.#start = start;
  }

  /** Starts the process before the first question, so that both take their time together. */
  warm(): void {
    this.#current ??= this.#begin();
  }

  /** Rejects where there is no answer. */
  async ask(question: FolderQuestion): Promise<unknown> {
    const answer = await this.#answerTo(question);
    if (answer.state === 'failed') throw new Error(answer.text);
    return answer.value;
  }

  #answerTo(question: FolderQuestion): FolderAnswer | Promise<FolderAnswer> {
    if (this.#stuck.has(question.about)) return NO_ANSWER;
    this.#current ??= this.#begin();
    const child = this.#current;
    if (child === null) return TOO_MANY;
    return new Promise((resolve) => {
      this.#waiting.set(question, resolve);
      this.#put(question, child);
    });
  }

  /** Whichever host answers first, that answer counts. */
  async #put(question: FolderQuestion, child: FolderChild): Promise<void> {
    this.#settle(question, await child.ask(question));
  }

  #settle(question: FolderQuestion, answer: FolderAnswer): void {
    this.#waiting.get(question)?.(answer);
    this.#waiting.delete(question);
  }

  #begin(): FolderChild | null {
    if (this.#hanging.size >= MOST_HANGING) return null;
    const child: FolderChild = createFolderChild(this.#start(), {
      onSilent: () => this.#leave(child),
      onIdle: () => this.#release(child),
      onEnd: () => {
        if (this.#current === child) this.#current = null;
        this.#trials.delete(child);
        this.#release(child);
      },
    });
    return child;
  }

  #leave(child: FolderChild): void {
    this.#hanging.add(child);
    if (this.#trials.delete(child)) {
      for (const question of child.open()) this.#convict(question, child);
      return;
    }
    if (this.#current === child) this.#current = null;
    void this.#tellApart(child);
  }

  /** The mount of one that hung answers again, or it has ended. */
  #release(child: FolderChild): void {
    if (!this.#hanging.delete(child)) return;
    for (const [about, by] of [...this.#stuck]) if (by === child) this.#stuck.delete(about);
    child.end();
  }

  #convict(question: FolderQuestion, child: FolderChild): void {
    this.#stuck.set(question.about, child);
    this.#settle(question, NO_ANSWER);
  }

  // Questions are begun in their order, so the first one is the likeliest: where all others answer it is the one.
  async #tellApart(child: FolderChild): Promise<void> {
    const [first, ...others] = child.open().filter((question) => this.#waiting.has(question));
    let trial: FolderChild | null = null;
    let isFirst = true;
    for (const question of others) {
      if (!this.#waiting.has(question)) continue;
      trial = await this.#tryAlone(question, trial);
      if (trial === null) isFirst = false;
    }
    if (first !== undefined && this.#waiting.has(first)) {
      if (isFirst) this.#convict(first, child);
      else trial = await this.#tryAlone(first, trial);
    }
    if (trial === null) return;
    this.#trials.delete(trial);
    if (this.#current === null) this.#current = trial;
    else trial.end();
  }

  /** Gives back the host for the next one; null where it hangs at this one, or none may be started. */
  async #tryAlone(question: FolderQuestion, host: FolderChild | null): Promise<FolderChild | null> {
    const trial = host ?? this.#begin();
    if (trial === null) {
      this.#settle(question, TOO_MANY);
      return null;
    }
    this.#trials.add(trial);
    const given = this.#waiting.get(question);
    await new Promise<void>((resolve) => {
      this.#waiting.set(question, (answer) => {
        given?.(answer);
        resolve();
      });
      this.#put(question, trial);
    });
    return this.#trials.has(trial) ? trial : null;
  }
}
