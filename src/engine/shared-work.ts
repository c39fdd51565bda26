import type { SharedNote } from '../core/evidence.ts';
import { marksIn } from '../core/marks.ts';
import type { Parts } from './parts.ts';
import type { ProcessReading } from './process-notes.ts';

/**
 * Parts what runs below servers that work for several panes from what is the pane's own: it is nobody's, and closing the
 * pane ends none of it. It is told apart, with the conversations that it was started for: among it may be work of this
 * very pane's agent. Servers of tools (MCP) say nothing. A daemon that a person started in the pane is the pane's program.
 */
export function partShared(
  readings: readonly ProcessReading[],
  { processes }: Pick<Parts, 'processes'>,
): { readonly readings: readonly ProcessReading[]; readonly shared: readonly SharedNote[] } {
  if (!readings.some(({ isShared }) => isShared)) return { readings, shared: [] };
  const agents = new Set(readings.filter(({ note }) => note.role === 'agent').map(({ note }) => note.pid));
  const isOther = ({ note, isShared }: ProcessReading) =>
    isShared && (note.relation === 'outside' || agents.has(note.parentPid));
  const dropped = new Set(readings.filter(isOther).map(({ note }) => note.pid));
  for (let size = 0; size < dropped.size; ) {
    size = dropped.size;
    for (const { note } of readings) if (dropped.has(note.parentPid)) dropped.add(note.pid);
  }
  const shared = readings.filter(
    ({ note, isShared }) => dropped.has(note.pid) && !isShared && note.helper === undefined,
  );
  return {
    readings: readings.filter(({ note }) => !dropped.has(note.pid)),
    shared: shared.map(({ note: { pid, startTicks, program, command } }) => {
      const conversations = marksIn(processes.environment({ pid, startTicks }) ?? {}).conversations;
      return { pid, startTicks, program, command, conversations };
    }),
  };
}
