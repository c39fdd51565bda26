import { sessionWord } from '../../core/doctor/session-words.ts';
import { isGone, type SessionEntry } from '../../core/sight/roll.ts';
import { BLOCKER_KINDS, type BlockerKind, type Check } from '../../core/verdict/verdict.ts';
import type { Tone } from '../render/colour.ts';
import { type Line, line, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';
import type { ExplainContext } from './head.ts';

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
export function checklistLines(context: ExplainContext): Line[] {
  const { entry, width } = context;
  if (isGone(entry)) return wrap([span('  → ')], line(goneWords(context)), width);
  const groups = BLOCKER_KINDS.flatMap((kind) => {
    const checks = entry.checks.filter((check) => check.kind === kind);
    return checks.length === 0
      ? []
      : [
          ...paragraph(GROUPS[kind], width, 2, 'quiet'),
          ...checks.flatMap((check) => checkLines(check, width)),
        ];
  });
  return [...groups, ...wrap([span('  → ')], line(conclusion(entry)), width)];
}

const GROUPS: Readonly<Record<BlockerKind, string>> = {
  'would-lose': 'what closing would lose: prevents every close',
  unfinished: 'what is unfinished: holds up automatic closing only',
};

function checkLines(check: Check, width: number | null): Line[] {
  const [mark, tone] = MARKS[check.state];
  return wrap(
    [span('  '), span(mark, tone), span(' ')],
    [span(check.text), span(` [${check.code}]`, 'quiet')],
    width,
  );
}

function goneWords({ entry, roll }: ExplainContext): string {
  const { lifecycle, receipt } = entry;
  if (receipt !== undefined) return `It is gone; put it back: rollcall reopen ${receipt}`;
  const settle =
    lifecycle === 'stale'
      ? `; let it go, which touches nothing: rollcall close ${sessionWord(entry, roll)}`
      : '.';
  return `It is gone: there is nothing to close${settle}`;
}

/** What keeps it from being closed whatever the proof says. */
export function protectionLines({ entry, width }: ExplainContext): Line[] {
  if (entry.protections.length === 0) return [line('  none')];
  return entry.protections.flatMap((protection) =>
    wrap([span('  • ')], [span(protection.text), span(` [${protection.code}]`, 'quiet')], width),
  );
}

function conclusion({ checks, protections }: SessionEntry): string {
  if (checks.length === 0) return 'No check was made, so it is not closed.';
  const open = checks.filter(({ state }) => state !== 'met');
  if (open.length === 0) {
    return protections.length > 0
      ? 'Every check is met; only the protections below prevent closing it.'
      : 'Every check is met: it may be closed.';
  }
  const losses = open.filter(({ kind }) => kind === 'would-lose');
  const unfinished = open.filter(({ kind }) => kind === 'unfinished');
  const isLost = losses.some(({ code }) => code !== 'confirmed');
  const first = isLost ? `It would take: ${wishesOf(losses)}.` : onRequest(losses, protections);
  if (unfinished.length === 0) return first;
  return `${first} Automatic closing ${isLost ? 'also ' : ''}waits for: ${wishesOf(unfinished)}.`;
}

// What rollcall close does on a person's word.
function onRequest(waits: readonly Check[], protections: SessionEntry['protections']): string {
  const isKept = protections.some(({ code }) => !SET_ASIDE_BY_NAME.has(code));
  const when = [
    ...(waits.length > 0 ? ['it was seen quiet for a while longer'] : []),
    ...(isKept ? ['the protections below are set aside'] : []),
  ];
  const condition = when.length === 0 ? '' : ` once ${when.join(' and ')}`;
  return `Nothing would be lost: asked by name, rollcall close closes it${condition}.`;
}

const SET_ASIDE_BY_NAME: ReadonlySet<string> = new Set(['not-managed', 'retained']);

function wishesOf(open: readonly Check[]): string {
  return open.map(({ code }) => WISHES[code] ?? code).join('; ');
}
