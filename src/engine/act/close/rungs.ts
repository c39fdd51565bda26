import type { RungReport } from '../../../core/close/receipt.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';

/** How a close goes on, for whoever watches. */
export type CloseProgress = { readonly name: string } & (
  | { readonly state: 'waits'; readonly text: string }
  | { readonly state: 'begins'; readonly rung: RungReport['rung'] }
  | { readonly state: 'over'; readonly report: RungReport }
);

/** Keeps what came of each rung, and tells it. */
export interface Rungs {
  readonly reports: readonly RungReport[];
  begin(rung: RungReport['rung']): (result: RungReport['result'], text: string) => void;
}

export function rungsOf(
  { now }: { now(): number },
  order: { readonly entry: SessionEntry; onProgress(progress: CloseProgress): void },
): Rungs {
  const reports: RungReport[] = [];
  const { name } = order.entry;
  return {
    reports,
    begin(rung) {
      const startedAt = now();
      order.onProgress({ name, state: 'begins', rung });
      return (result, text) => {
        const report = { rung, startedAt, endedAt: now(), result, text };
        reports.push(report);
        order.onProgress({ name, state: 'over', report });
      };
    },
  };
}
