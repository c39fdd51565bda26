import type { Pressure } from '../../core/pressure/judge-pressure.ts';
import type { ReapEvent, ReaperStanding } from '../../core/reaper/standing.ts';
import type { Roll } from '../../core/sight/roll.ts';
import { pause } from '../../operations/pause.ts';
import type { ReapDesk } from './desk.ts';

/** Between two rounds: often enough that a window of minutes is seen through. */
const EVERY_MS = 2000;

/** What one pass of the reaper sees and tells. */
export interface PassSteps {
  look(): Promise<{ readonly roll: Roll; readonly pressure: Pressure }>;
  onEvent(event: ReapEvent): void;
  /** Asks to end before it is done. */
  readonly signal: AbortSignal;
}

export interface Passed {
  readonly standing: ReaperStanding;
  readonly events: readonly ReapEvent[];
}

/** Rounds until one session was closed, or nothing may go. */
export async function passOnce(desk: ReapDesk, argv: readonly string[], steps: PassSteps): Promise<Passed> {
  const reaper = desk.reaper(argv);
  const events: ReapEvent[] = [];
  try {
    for (;;) {
      const seen = await steps.look();
      const told = await reaper.round({ ...seen, now: desk.now() });
      events.push(...told.events);
      told.events.forEach(steps.onEvent);
      if (isOver(told) || steps.signal.aborted) return { standing: told.standing, events };
      await pause(EVERY_MS, steps.signal);
    }
  } finally {
    await reaper.stop();
  }
}

const ENDS: ReadonlySet<ReapEvent['kind']> = new Set(['closed', 'skipped', 'failed', 'would-close']);
const WAITS: ReadonlySet<string> = new Set(['confirming', 'settling']);

function isOver({ standing, events }: Passed): boolean {
  if (standing.isClosing) return false;
  if (events.some(({ kind }) => ENDS.has(kind))) return true;
  const mayGo = standing.sessions.some(
    ({ relief, guard }) => relief !== null || WAITS.has(guard?.code ?? ''),
  );
  return standing.mode !== 'enforce' || !mayGo;
}
