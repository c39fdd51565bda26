import type { Check } from '../../core/verdict.ts';
import type { Tone } from './colour.ts';
import type { ExplainContext } from './explain-context.ts';
import type { Line } from './line.ts';
import { line, span } from './line.ts';
import { wrap } from './wrap.ts';

const MARKS: Readonly<Record<Check['state'], readonly [string, Tone]>> = {
  met: ['✓', 'good'],
  unmet: ['✗', 'alarm'],
  unknown: ['?', 'doubt'],
};

// What would turn each check into a ✓. A code without an entry is named by itself.
const WISHES: Readonly<Record<string, string>> = {
  'seen-now': 'a fresh, agreeing answer from tmux and the process table',
  'at-rest': 'its turn to be over or its program to end',
  rested: 'more rest',
  confirmed: 'to be seen quiet for a while longer',
  'nothing-running': 'what runs in it to end',
  'nothing-outside': 'what it left running outside its tree to end',
  'nothing-unsent': 'an input that is known to be empty',
  'nobody-there': 'nobody attached, reading or typing',
  'windows-own': 'windows that no other session shares',
  'finished-or-resumable': 'an agent that ended by itself, or a known way to resume it',
  'work-saved': 'everything committed and pushed',
  contract: 'what its completion still lacks',
};

/** The closing checklist, and what it would take to close the session. */
export function checklistLines({ entry, width }: ExplainContext): Line[] {
  if (entry.lifecycle === 'lost')
    return wrap([span('  → ')], line('It is gone: there is nothing to close.'), width);
  const checks = entry.checks.flatMap((check) => {
    const [mark, tone] = MARKS[check.state];
    return wrap(
      [span('  '), span(mark, tone), span(' ')],
      [span(check.text), span(` [${check.code}]`, 'quiet')],
      width,
    );
  });
  const open = entry.checks.filter((check) => check.state !== 'met');
  return [
    ...checks,
    ...wrap([span('  → ')], line(conclusion(entry.checks, open, entry.protections.length > 0)), width),
  ];
}

/** What keeps it from being closed whatever the proof says. */
export function protectionLines({ entry, width }: ExplainContext): Line[] {
  if (entry.protections.length === 0) return [line('  none')];
  return entry.protections.flatMap((protection) =>
    wrap([span('  • ')], [span(protection.text), span(` [${protection.code}]`, 'quiet')], width),
  );
}

function conclusion(checks: readonly Check[], open: readonly Check[], isProtected: boolean): string {
  if (checks.length === 0) return 'No check was made, so it is not closed.';
  if (open.length > 0) {
    const wishes = open.map((check) => WISHES[check.code] ?? check.code);
    return `It would take: ${wishes.join('; ')}.`;
  }
  return isProtected
    ? 'Every check is met; only the protections below stand against closing it.'
    : 'Every check is met: it may be closed.';
}
