import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import type { PaneSighting } from '../../core/sight/sighting.ts';
import type { PaneSleep } from '../../core/sleep/asleep.ts';
import type { ProcessNote } from '../../core/verdict/evidence.ts';
import type { PaneProcesses } from './process-reader.ts';

/** What sleeps in a pane, if its process is the very sleeper that the ledger tells of, alive or dead. */
export function sleepIn(
  { asleep }: Pick<SessionFacts, 'asleep'>,
  { paneId, pid, isDead }: PaneSighting,
  { readings }: PaneProcesses,
): PaneSleep | null {
  if (asleep?.paneId !== paneId || asleep.pid !== pid) return null;
  const isIt = isDead || readings.some(({ note }) => isSleeper(note, asleep));
  const { at, receipt, kind: agentKind, conversation, freedBytes } = asleep;
  return isIt ? { at, receipt, agentKind, conversation, freedBytes } : null;
}

/** The processes of a pane in which something sleeps: its sleeper is no command. */
export function withSleeper(
  processes: PaneProcesses,
  { asleep }: Pick<SessionFacts, 'asleep'>,
): PaneProcesses {
  const readings = processes.readings.map((reading) => {
    const { note } = reading;
    const isIt = asleep !== undefined && isSleeper(note, asleep);
    return isIt ? { ...reading, note: { ...note, role: 'sleeper' as const, program: 'sleeper' } } : reading;
  });
  return { ...processes, readings };
}

function isSleeper(note: ProcessNote, asleep: NonNullable<SessionFacts['asleep']>): boolean {
  return note.relation === 'root' && note.pid === asleep.pid && note.startTicks === asleep.startTicks;
}
