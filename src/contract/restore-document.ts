import type { RestoreReport } from '../core/restore/report.ts';
import type { Problem } from '../core/sight/roll.ts';
import { toDocument } from './document.ts';
import type { RestoreDocument } from './restore-schema.ts';
import { problemObject } from './roll-document.ts';

/** What `rollcall restore --json` prints. */
export function toRestoreDocument(
  at: number,
  isDryRun: boolean,
  reports: readonly RestoreReport[],
  problems: readonly Problem[],
): RestoreDocument {
  return toDocument({
    at,
    isDryRun,
    problems: problems.map(problemObject),
    sessions: reports.map(({ socketPath, missing, session, ...report }) => ({
      ...report,
      server: { socketPath },
      session: session && { ...session },
      missing: [...missing],
    })),
  });
}
