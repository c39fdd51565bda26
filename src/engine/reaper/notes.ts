import type { EntryDraft } from '../../core/ledger/entry.ts';
import type { ReapEvent } from '../../core/reaper/standing.ts';

const ACTIONS: Readonly<Record<ReapEvent['kind'], string | null>> = {
  chosen: 'reap-chosen',
  spared: 'reap-spared',
  'would-close': 'reap-would-close',
  closed: 'reap-closed',
  skipped: 'reap-skipped',
  failed: 'reap-failed',
  'breaker-tripped': 'reap-breaker',
  // Whoever changes the mode records it.
  'mode-changed': null,
  // Too many for a record that is never shortened: the history has them.
  vetoed: null,
};

/** What the ledger is told of the reaper. */
export function notesOf(events: readonly ReapEvent[]): EntryDraft[] {
  return events.flatMap((event): EntryDraft[] => {
    const action = ACTIONS[event.kind];
    if (action === null) return [];
    const { mode, tier, session, relief, code, text, memoryBytes, receipt } = event;
    const body = { mode, tier, relief, code, text, memoryBytes, receipt };
    return [{ kind: 'note', action, session, body }];
  });
}

/** That somebody set the mode. */
export function modeNote(from: string, to: string): EntryDraft {
  return { kind: 'note', action: 'reap-mode', session: null, body: { from, to } };
}
