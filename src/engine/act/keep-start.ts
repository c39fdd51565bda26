import type { Folded } from '../../core/ledger/current-facts.ts';
import { textIn } from '../../core/ledger/json.ts';
import type { Start } from '../../core/sight/start.ts';
import { visible } from '../../core/text/visible.ts';
import type { Hands } from './hands.ts';
import type { RunWish } from './run-wish.ts';

/** Keeps how something is about to be started; why that cannot be, or null. Nothing is started that nobody could put back. */
export function keepStart(hands: Hands, wish: RunWish, run: string): string | null {
  try {
    hands.starts.keep(startOf(hands, wish, run));
    return null;
  } catch (error) {
    return visible(`how it is started could not be kept: ${(error as Error).message}`, 600);
  }
}

function startOf({ findProgram, callerEnv }: Hands, wish: RunWish, run: string): Start {
  const { argv, cwd, env, caller, remain } = wish;
  const program = findProgram(argv[0] ?? '', cwd, env.PATH ?? callerEnv.PATH);
  return { ...{ run, program, argv, cwd, remain, isClean: caller === undefined }, env: wish.given ?? env };
}

/** One that belongs to no session is kept so long: whoever started it may still be about to record that. */
export const ORPHAN_MS = 86_400_000;

/** Sessions by the run that started them, and the runs that somebody has begun and may still be about to record. */
export function runsIn({ facts, openIntents }: Folded) {
  return {
    byRun: new Map([...facts.values()].map((one) => [one.origin?.run ?? null, one])),
    begun: new Set([...openIntents.values()].map(({ body }) => textIn(body.run))),
  };
}

/**
 * Lets go of what nobody needs any more: starts that an archive has, and those of sessions that are no longer known. One
 * that ended without an archive is reopened from its start, so that stays as long as the session is listed.
 */
export function dropStarts(hands: Hands): void {
  const starts = hands.starts.all();
  if (starts.length === 0) return;
  const { folded, damage } = hands.ledger.facts();
  if (damage !== null) return;
  const { byRun, begun } = runsIn(folded);
  for (const { run, keptAt } of starts) {
    const known = byRun.get(run);
    // A ledger that has lost entries does not tell of all its sessions.
    const isUnknown = known === undefined && !begun.has(run) && folded.loss === null;
    const isOrphan = isUnknown && hands.now() - keptAt > ORPHAN_MS;
    if (isOrphan || (known?.closed && isArchived(hands, known.closed.receipt, run))) hands.starts.drop(run);
  }
}

function isArchived({ archive }: Hands, receipt: string, run: string): boolean {
  const kept = archive.start(receipt);
  return kept.state === 'read' && kept.start.start.run === run;
}
