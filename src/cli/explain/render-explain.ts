import type { Roll, SessionEntry } from '../../core/sight/roll.ts';
import type { Source } from '../../core/verdict/verdict.ts';
import { age } from '../render/amounts.ts';
import { fitLine, type Line, line, printLines, span } from '../render/line.ts';
import { pad } from '../render/width.ts';
import { wrap } from '../render/wrap.ts';
import { problemLines } from '../roll/problems.ts';
import { checklistLines, protectionLines } from './checklist.ts';
import type { ExplainContext } from './context.ts';
import { declaredLines } from './declared.ts';
import { describeEvidence } from './describe-evidence.ts';
import { headLines } from './head.ts';
import { paneLines } from './panes.ts';

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

/** Every reason of the verdict, the decisive one first. */
function reasonLines(context: ExplainContext): Line[] {
  return context.entry.reasons.flatMap((reason) =>
    seenLines(reason, [span(reason.text), span(` [${reason.code}]`, 'quiet')], context),
  );
}

/** Every piece of evidence, in words. */
function evidenceLines(context: ExplainContext): Line[] {
  const { entry, now, width } = context;
  if (entry.evidence.length === 0)
    return wrap([span('  ')], line('none: nothing could be seen of it'), width);
  return entry.evidence.flatMap((piece) => seenLines(piece, [span(describeEvidence(piece, now))], context));
}

function seenLines(
  seen: { readonly source: Source; readonly observedAt: number },
  body: Line,
  { now, width }: ExplainContext,
): Line[] {
  const when = pad(age(seen.observedAt, now), 7, 'right');
  return wrap([span(`  ${pad(seen.source, 8)} ${when}  `, 'quiet')], body, width);
}
