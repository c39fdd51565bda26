import type { Roll } from '../../core/sight/roll.ts';
import { fitLine, type Line, line, printLines } from '../render/line.ts';
import { emptyLines } from './empty.ts';
import { problemLines } from './problems.ts';
import { joinParts, summaryParts } from './summary.ts';
import { rollTable } from './table.ts';

export interface RenderRollOptions {
  /** Width of the terminal; null when the output is not one, and then nothing is cut or broken. */
  readonly columns: number | null;
  readonly isColor: boolean;
  readonly now: number;
  /** Sessions that a filter took off the roll before it came here. */
  readonly hidden?: number;
}

/** The roll for a person: a table worst first, a summary where the eye rests above the prompt, and problems. */
export function renderRoll(roll: Roll, options: RenderRollOptions): string {
  const { columns, isColor, hidden = 0 } = options;
  const body = roll.sessions.length === 0 ? emptyLines(roll, hidden, columns) : filled(roll, options);
  const problems = problemLines(roll.problems, columns);
  const lines = problems.length === 0 ? body : [...body, line(), ...problems];
  return printLines(
    lines.map((pieces) => fitLine(pieces, columns)),
    isColor,
  );
}

function filled(roll: Roll, options: RenderRollOptions): Line[] {
  const { columns, now, hidden = 0 } = options;
  const table = rollTable(roll.sessions, { columns, now });
  return [
    table.header,
    ...roll.sessions.map((_, index) => table.row(index)),
    line(),
    ...joinParts(summaryParts(roll, hidden), columns),
  ];
}
