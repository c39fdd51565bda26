import type { Moment } from '../text/moment.ts';

/** What was found when a daemon was asked: it answered, its process is stopped, or nothing came in time. */
export type DaemonWord = 'answered' | 'stopped' | 'silent';

/** What a daemon wrote down about its rounds. */
interface Rounds {
  readonly at: number;
  readonly nextAt: number;
  /** The same on the clock that nobody can step; absent where an older daemon wrote it. */
  readonly nextAwakeMs?: number;
  readonly roundMs: number;
}

/** Whether a daemon that runs does its work. Never that it is dead: its process is there. */
export interface DaemonAnswer {
  /** `late`: it answers, and has made no round for far too long. */
  readonly state: 'answers' | 'stopped' | 'silent' | 'late';
  /** The last round that is known of: since then nothing is; null while it answers, or where there was none. */
  readonly since: number | null;
  readonly text: string;
  readonly hint: string | null;
}

// Standings are written every few seconds, and a machine with much to do may take its time for a round.
const MARGIN_MS = 30_000;
const ROUNDS = 5;

/** Judges what a daemon answered, and when its last round was. */
export function judgeAnswer(
  pid: number,
  word: DaemonWord,
  rounds: Rounds | null,
  now: Pick<Moment, 'at' | 'awakeMs'>,
): DaemonAnswer {
  const since = rounds?.at ?? null;
  if (word === 'stopped') {
    const hint = `let it go on: kill -CONT ${pid}`;
    return { state: 'stopped', since, text: 'its process is stopped', hint };
  }
  const restart = `give it a moment; if it stays so: kill ${pid}, and rollcall up`;
  if (word === 'silent') {
    return { state: 'silent', since, text: 'nothing came from its socket in time', hint: restart };
  }
  if (rounds !== null && lateByMs(rounds, now) > MARGIN_MS + ROUNDS * rounds.roundMs) {
    return { state: 'late', since, text: 'it has made no round since', hint: restart };
  }
  return { state: 'answers', since: null, text: 'it answers', hint: null };
}

// By awake time: a step of the wall clock, or suspend, makes no round late, and hides none that is.
function lateByMs({ nextAt, nextAwakeMs }: Rounds, { at, awakeMs }: Pick<Moment, 'at' | 'awakeMs'>): number {
  return nextAwakeMs === undefined ? at - nextAt : awakeMs - nextAwakeMs;
}
