import type { Roll, SessionEntry } from '../../core/sight/roll.ts';
import type { Source } from '../../core/verdict/verdict.ts';
import { age } from '../render/amounts.ts';
import { fitLine, type Line, line, printLines, span } from '../render/line.ts';
import { labelled, page, section } from '../render/page.ts';
import { pad } from '../render/width.ts';
import { paragraph } from '../render/wrap.ts';
import { problemLines } from '../roll/problems.ts';
import { checklistLines, protectionLines } from './checklist.ts';
import { describeEvidence } from './describe-evidence.ts';
import { declaredLines, type ExplainContext, headLines } from './head.ts';
import { paneLines } from './panes.ts';

export interface RenderExplainOptions {
  readonly columns: number | null;
  readonly isColor: boolean;
  readonly now: number;
}

/** Everything that led to the verdict on one session, for a person who wants to check it. */
export function renderExplain(roll: Roll, entry: SessionEntry, options: RenderExplainOptions): string {
  const { columns: width, now, isColor } = options;
  const next = 'Next: rollcall watch (live) · rollcall --json (for programs)';
  const lines = page([explainLines({ roll, entry, now, width }), paragraph(next, width, 0, 'quiet')]);
  return printLines(lines, isColor);
}

/** The explanation as lines that fit the width, for a page that can be scrolled. */
export function explainLines(context: ExplainContext): Line[] {
  const { roll, entry, width } = context;
  const problems = roll.problems.filter((problem) => problem.socketPath === entry.server.socketPath);
  const said = (entry.ended?.lines ?? []).map((text) => line(`  ${text}`));
  return page([
    headLines(context),
    section('WHY', reasonLines(context)),
    section('LAST LINES', said),
    section('DECLARED', declaredLines(context)),
    section('EVIDENCE', evidenceLines(context)),
    section('CLOSING CHECKLIST', checklistLines(context)),
    section('PROTECTIONS', protectionLines(context)),
    section('PANES AND PROCESSES', paneLines(context)),
    section('PROBLEMS', problemLines(problems, width)),
  ]).map((pieces) => fitLine(pieces, width));
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
  if (entry.evidence.length === 0) return paragraph('none: nothing could be seen of it', width, 2);
  return entry.evidence.flatMap((piece) => seenLines(piece, [span(describeEvidence(piece, now))], context));
}

function seenLines(
  seen: { readonly source: Source; readonly observedAt: number },
  body: Line,
  { now, width }: ExplainContext,
): Line[] {
  const label = `${pad(seen.source, 8)} ${pad(age(seen.observedAt, now), 7, 'right')}  `;
  return labelled(label, body, width, { indent: 2, room: 0, tone: 'quiet' });
}
