import type { PlannedRung } from '../core/close/ladder.ts';
import type { RungReport } from '../core/close/receipt.ts';
import type { JsonObject } from '../core/ledger/json.ts';
import type { Blocker, Protection } from '../core/verdict.ts';
import type { CloseDocument, ReopenDocument } from './close-schemas.ts';
import { toDocument } from './document.ts';

/** What became of one session that was to be closed. */
export interface CloseReport {
  readonly key: string;
  readonly name: string;
  readonly result: CloseDocument['sessions'][number]['result'];
  readonly exitCode: number;
  readonly text: string;
  readonly hint: string | null;
  readonly blockers: readonly Blocker[];
  readonly protections: readonly Protection[];
  readonly waived: readonly Blocker[];
  readonly planned: readonly PlannedRung[];
  readonly rungs: readonly RungReport[];
  readonly receipt: JsonObject | null;
}

/** What `rollcall close --json` prints. */
export function toCloseDocument(
  at: number,
  isDryRun: boolean,
  reports: readonly CloseReport[],
): CloseDocument {
  return toDocument({
    at,
    isDryRun,
    sessions: reports.map((report) => ({
      ...report,
      blockers: report.blockers.map(noted),
      protections: report.protections.map(noted),
      waived: report.waived.map(noted),
      planned: report.planned.map(({ rung, text }) => ({ rung, text })),
      rungs: report.rungs.map((rung) => ({ ...rung })),
      // Its shape is that of what is recorded; the schema's test holds the two together.
      receipt: report.receipt as unknown as CloseDocument['sessions'][number]['receipt'],
    })),
  });
}

/** What `rollcall reopen --json` prints. */
export function toReopenDocument(reopened: Omit<ReopenDocument, 'schemaVersion' | 'result'>): ReopenDocument {
  return toDocument({ result: 'reopened', ...reopened });
}

function noted({ code, text }: Blocker): { code: string; text: string } {
  return { code, text };
}
