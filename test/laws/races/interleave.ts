import { join } from 'node:path';
import type { Ran } from '../../support/command.ts';
import { type Claim, NOTHING } from './claim.ts';
import type { Intervention } from './interventions.ts';
import { judge, type Violation } from './judge.ts';
import type { Scene, Subject } from './scenes.ts';
import type { Stage } from './stage.ts';

/** Where the program is stopped, and what happens then. */
export interface Interleaving {
  readonly scene: Scene;
  /** The address of the point. */
  readonly point: string;
  /** The lasting step that comes after it. */
  readonly ahead: string;
  readonly intervention: Intervention;
}

export interface Interleaved {
  readonly one: Interleaving;
  /** False where the program ended before it came to the point. */
  readonly isReached: boolean;
  readonly subject: Subject;
  readonly claim: Claim;
  readonly ran: Ran | null;
  readonly isGone: boolean;
  readonly violations: Violation[];
}

/** What holds a lock keeps a command waiting: then it goes on, and what counts is when the command was answered. */
const LONGEST_PAUSE_MS = 3000;
/** For what hangs: it has less time itself. */
const LONGEST_RUN_MS = 300_000;

/** Closes a session, stops on the way, lets something happen, goes on, and judges what came of it. */
export async function interleave(stage: Stage, one: Interleaving): Promise<Interleaved> {
  const { scene, point, intervention } = one;
  const name = `${scene.name}-${stage.next()}`;
  const subject = await scene.set(stage, name);
  const log = join(stage.world.folder, `${name}.race`);
  const watched = stage.watch(scene.argv(name), log, { address: point, isHurried: scene.isHurried ?? false });
  const pid = await watched.reached();
  if (pid === null) {
    const ran = await watched.ended;
    return { one, isReached: false, subject, claim: NOTHING, ran, isGone: true, violations: [] };
  }
  let doneAt = Number.POSITIVE_INFINITY;
  const acting = intervention.act({ stage, scene, subject, pid, log }).then((claim) => {
    doneAt = Number(process.hrtime.bigint());
    return claim;
  });
  await within(acting, LONGEST_PAUSE_MS);
  watched.goOn();
  const ran = await within(watched.ended, LONGEST_RUN_MS);
  const claim = await acting;
  const violations = await judge({ stage, subject, claim, doneAt, log });
  if (ran === null) violations.push({ kind: 'hangs', text: 'it does not end' });
  const { exitCode } = await stage.world.run(['tmux', 'has-session', '-t', subject.sessionId]);
  return { one, isReached: true, subject, claim, ran, isGone: exitCode !== 0, violations };
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
