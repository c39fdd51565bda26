import { receiptName } from '../../core/ledger/current-facts.ts';
import { isPartial, type LedgerEntry } from '../../core/ledger/entry.ts';
import { age } from '../render/amounts.ts';
import type { Tone } from '../render/colour.ts';
import { fitLine, type Line, lineWidth, padLine, span } from '../render/line.ts';

const AGE_WIDTH = 10;
const ACTION_WIDTH = 11;
const SESSION_WIDTH = 20;

/** One entry in one line: how long ago, what was done, to which session, and what came of it. */
export function entryLine(entry: LedgerEntry, now: number, width: number | null): Line {
  const { at, action, session, sequence } = entry;
  const { text, tone } = upshot(entry);
  const columns = [
    padLine([span(String(sequence), 'quiet')], 5, 'right'),
    padLine([span(age(at, now), 'quiet')], AGE_WIDTH),
    padLine([span(action)], ACTION_WIDTH),
    padLine([span(session?.name ?? '–')], SESSION_WIDTH),
    [span(text, tone)],
  ];
  const pieces = columns.flatMap((column, index) => (index === 0 ? column : [span('  '), ...column]));
  return lineWidth(pieces) === 0 ? [] : fitLine(pieces, width);
}

const SOUND = new Set(['done', 'intact']);

/** What an entry says beyond its action; bodies name it in a few common ways. */
function upshot(entry: LedgerEntry): { readonly text: string; readonly tone?: Tone } {
  const { kind, body, cause } = entry;
  const { from, to } = body;
  const change = typeof from === 'string' && typeof to === 'string' ? `${from} → ${to}` : null;
  const common = [body.outcome, change, body.text, body.reason];
  const details = (gateWords(entry) ?? common).filter((value) => typeof value === 'string');
  const detail = details.length === 0 ? '' : `: ${details.join(', ')}`;
  switch (kind) {
    case 'intent':
      return { text: `intent${detail}`, tone: 'quiet' };
    case 'outcome': {
      const result = typeof body.result === 'string' ? body.result : 'ended';
      return { text: `${result}${detail} (of ${cause})`, tone: SOUND.has(result) ? 'good' : 'alarm' };
    }
    case 'receipt':
      return isPartial(entry)
        ? { text: `partial receipt ${receiptName(entry)}${detail}`, tone: 'warning' }
        : { text: `receipt ${receiptName(entry)}${detail}`, tone: 'calm' };
    case 'declared':
      return { text: `declared${detail}` };
    case 'note':
      return { text: `note${detail}`, tone: 'warning' };
  }
}

// What the stop gate records has words of its own.
function gateWords({ action, body }: LedgerEntry): unknown[] | null {
  switch (action) {
    case 'gate-start':
      return [body.gate, body.task];
    case 'gate-stop':
      return [body.verdict, body.reason, body.text];
    case 'gate-end':
      return [body.phase, body.text];
    case 'gate-mode':
      return [`${body.from ?? 'none'} → ${body.to ?? 'none'}`, body.project];
    case 'gate-switch':
      return [body.state, body.reason];
    case 'gate-passed':
      return [`${body.stops} let through where nobody owns anything`];
    default:
      return null;
  }
}
