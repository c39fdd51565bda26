import type { Roll, SessionEntry } from '../../core/roll.ts';
import { checklistLines, protectionLines } from './explain-checklist.ts';
import type { ExplainContext } from './explain-context.ts';
import { declaredLines } from './explain-declared.ts';
import { evidenceLines, reasonLines } from './explain-evidence.ts';
import { headLines } from './explain-head.ts';
import { paneLines } from './explain-panes.ts';
import type { Line } from './line.ts';
import { fitLine, line, printLines } from './line.ts';
import { problemLines } from './roll-problems.ts';
import { wrap } from './wrap.ts';

export interface RenderExplainOptions {
  readonly columns: number | null;
  readonly isColor: boolean;
  readonly now: number;
}

/** Everything that led to the verdict on one session, for a person who wants to check it. */
export function renderExplain(roll: Roll, entry: SessionEntry, options: RenderExplainOptions): string {
  const { columns, now, isColor } = options;
  const next = 'Next: rollcall watch (live) · rollcall --json (for programs)';
  const lines = [
    ...explainLines({ roll, entry, now, width: columns }),
    line(),
    ...wrap([], line(next, 'quiet'), columns),
  ];
  return printLines(lines, isColor);
}

/** The explanation as lines that fit the width, for a page that can be scrolled. */
export function explainLines(context: ExplainContext): Line[] {
  const { roll, entry, width } = context;
  const problems = roll.problems.filter((problem) => problem.socketPath === entry.server.socketPath);
  const declared = declaredLines(context);
  const said = (entry.ended?.lines ?? []).map((text) => line(`  ${text}`));
  const sections: readonly (readonly [string, Line[]])[] = [
    ['WHY', reasonLines(context)],
    ...(said.length > 0 ? [['LAST LINES', said] as const] : []),
    ...(declared.length > 0 ? [['DECLARED', declared] as const] : []),
    ['EVIDENCE', evidenceLines(context)],
    ['CLOSING CHECKLIST', checklistLines(context)],
    ['PROTECTIONS', protectionLines(context)],
    ['PANES AND PROCESSES', paneLines(context)],
    ...(problems.length > 0 ? [['PROBLEMS', problemLines(problems, width)] as const] : []),
  ];
  const body = sections.flatMap(([title, lines]) => [line(), line(title, 'heading'), ...lines]);
  return [...headLines(context), ...body].map((pieces) => fitLine(pieces, width));
}
