import type { Roll } from '../../../src/core/sight/roll.ts';
import type { Round } from '../../../src/core/supervision/round.ts';
import type { DaemonLog } from '../../../src/ports/daemon.ts';
import { roll } from '../../cli/render/samples.ts';

/** A round of which only the roll matters. */
export function roundOf(changes: Partial<Roll> = {}): Round {
  return { roll: roll(changes.sessions ?? [], changes) } as Round;
}

export class KeptLog implements DaemonLog {
  readonly lines: { readonly event: string; readonly [field: string]: unknown }[] = [];

  note(event: string, fields: object = {}): void {
    this.lines.push({ event, ...fields });
  }

  warn(event: string, fields: object = {}): void {
    this.lines.push({ event, ...fields });
  }

  get events(): string[] {
    return this.lines.map(({ event }) => event);
  }
}
