import type { Round, Wake } from '../../core/supervision/round.ts';
import { visible } from '../../core/text/visible.ts';
import type { Hands } from '../act/hands.ts';
import { recoverAll } from '../act/recover.ts';
import { createBell } from './bell.ts';
import { DaemonStopping, type Desk } from './desk.ts';
import { noteRound } from './note-round.ts';
import { createObservers, messageOf } from './observers.ts';
import type { DaemonParts } from './parts.ts';
import { createRounds } from './take-round.ts';

export interface Daemon {
  readonly desk: Desk;
  /** Supervises until it is stopped. */
  run(): Promise<void>;
  /** Ends after the round and the actions under way. */
  stop(): Promise<void>;
}

/** Between two rounds that fail. */
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 10_000;
/** A round that takes so long is worth a line, whatever holds it up. */
const SLOW_ROUND_MS = 30_000;

interface Asker {
  resolve(round: Round): void;
  reject(error: Error): void;
}

/** The loop: one round at a time, as soon as something calls for it. A round that fails proves nothing and closes nothing. */
export function createDaemon(parts: DaemonParts): Daemon {
  const { log, timers } = parts;
  const observers = createObservers(log);
  const bell = createBell(timers);
  const rounds = createRounds(parts);
  const atWork = new Set<Promise<unknown>>();
  const startedAt = parts.now().at;
  let askers: Asker[] = [];
  let running: Promise<void> | null = null;
  let isStopped = false;
  let failures = 0;

  const round = async (wokenBy: readonly Wake[]): Promise<number> => {
    const waiting = askers;
    askers = [];
    const before = rounds.last();
    const done = timers.after(SLOW_ROUND_MS, () => log.warn('round-slow', { ms: SLOW_ROUND_MS }));
    try {
      const taken = await rounds.take(wokenBy);
      failures = 0;
      noteRound(log, before, taken);
      for (const asker of waiting) asker.resolve(taken);
      observers.tell(taken);
      follow(taken);
      return taken.nextInMs;
    } catch (error) {
      failures += 1;
      const text = visible(messageOf(error), 400);
      log.warn('round-failed', { failures, text });
      for (const asker of waiting) asker.reject(new Error(text));
      return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10));
    } finally {
      done();
    }
  };

  const follow = (taken: Round) => {
    for (const source of parts.wakes) attempt('wakes', () => source.follow(taken));
  };

  const attempt = async (what: string, work: () => unknown) => {
    try {
      await work();
    } catch (error) {
      log.warn(`${what}-failed`, { text: visible(messageOf(error), 400) });
    }
  };

  const supervise = async () => {
    await attempt('recovery', () => withOwnHands(async () => {}));
    for (const source of parts.wakes) await attempt('wakes', () => source.start((why) => bell.ring(why)));
    let wokenBy: readonly Wake[] = ['start'];
    while (!isStopped) {
      const dueInMs = await round(wokenBy);
      const felt = failures === 0 ? rounds.felt() : null;
      // What a look that failed has cost nobody counts, so that hints wait for the next one, too.
      const hints = failures === 0 ? rounds.hintsWait() : { hintsAfterMs: dueInMs, deathsAfterMs: dueInMs };
      wokenBy = await bell.wait({ dueInMs, felt, ...hints });
    }
    for (const asker of askers) asker.reject(new DaemonStopping());
    await Promise.allSettled(atWork);
    await attempt('settler', () => parts.settler.stop());
    await attempt('reaper', () => parts.reaper.stop());
    for (const source of parts.wakes) await attempt('wakes', () => source.stop());
    await observers.settled();
  };

  // As every command that acts: what an earlier one left behind is brought to its end first.
  const withOwnHands = async <T>(work: (hands: Hands) => Promise<T>): Promise<T> => {
    const hands = await parts.openHands();
    try {
      for (const { intent, session, body } of await recoverAll(hands)) {
        log.note('recovered', {
          action: intent.action,
          session: visible(session.name, 200),
          result: visible(String(body.result), 60),
        });
      }
      return await work(hands);
    } finally {
      hands.ledger.close();
    }
  };

  const lookNow = (): Promise<Round> => {
    if (isStopped) return Promise.reject(new DaemonStopping());
    return new Promise((resolve, reject) => {
      askers.push({ resolve, reject });
      // While looks fail the next one comes soon by itself; as many as ask would be as many that fail.
      if (failures === 0) bell.ring('asked');
    });
  };

  const desk: Desk = {
    startedAt,
    round: () => rounds.last(),
    onRound: (observer) => observers.add(observer),
    lookNow,
    look: parts.look,
    ledger: parts.ledger,
    withHands(work) {
      if (isStopped) return Promise.reject(new DaemonStopping());
      const doing = withOwnHands(work).finally(() => {
        atWork.delete(doing);
        bell.ring('asked');
      });
      atWork.add(doing);
      return doing;
    },
  };

  return {
    desk,
    run() {
      running ??= supervise();
      return running;
    },
    async stop() {
      isStopped = true;
      bell.end();
      await running;
    },
  };
}
