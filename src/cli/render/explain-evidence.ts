import type { Source } from '../../core/evidence.ts';
import { pad } from '../width.ts';
import { age } from './amounts.ts';
import { describeEvidence } from './describe-evidence.ts';
import type { ExplainContext } from './explain-context.ts';
import type { Line } from './line.ts';
import { line, span } from './line.ts';
import { wrap } from './wrap.ts';

/** Every reason of the verdict, the decisive one first. */
export function reasonLines(context: ExplainContext): Line[] {
  return context.entry.reasons.flatMap((reason) =>
    seenLines(reason, [span(reason.text), span(` [${reason.code}]`, 'quiet')], context),
  );
}

/** Every piece of evidence, in words. */
export function evidenceLines(context: ExplainContext): Line[] {
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
