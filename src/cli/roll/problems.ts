import type { Problem } from '../../core/sight/roll.ts';
import { type Line, line, padLine, span } from '../render/line.ts';
import { wrap } from '../render/wrap.ts';

/** What kept rollcall from seeing everything, each with what a person can do about it. */
export function problemLines(problems: readonly Problem[], width: number | null): Line[] {
  return problems.flatMap((problem) => [
    ...wrap([span('! ', 'alarm')], line(problem.text), width),
    ...(problem.hint === undefined ? [] : wrap(padLine([], 2), line(problem.hint, 'quiet'), width)),
  ]);
}
