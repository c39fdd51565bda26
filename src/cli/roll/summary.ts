import type { Roll, SessionEntry } from '../../core/sight/roll.ts';
import { counted } from '../../core/text/counted.ts';
import { partOf } from '../render/amounts.ts';
import { type Line, lineWidth, type Span, span } from '../render/line.ts';

const SEPARATOR = ' · ';

/** The roll in one sentence, in parts: what there is, what calls for a person, and how the machine does. */
export function summaryParts(roll: Roll, hidden = 0): Span[] {
  const sessions = roll.sessions;
  const servers = new Set(sessions.map((entry) => entry.server.socketPath)).size;
  const where = servers > 1 ? ` on ${counted(servers, 'server')}` : '';
  const tally = (holds: (entry: SessionEntry) => boolean, words: string) => {
    const amount = sessions.filter(holds).length;
    return amount === 0 ? [] : [span(`${amount} ${words}`)];
  };
  return [
    span(`${counted(sessions.length, 'session')}${where}`, 'heading'),
    ...tally((entry) => entry.activity === 'waiting', 'waiting for you'),
    ...tally((entry) => entry.activity === 'working', 'working'),
    ...tally((entry) => entry.lifecycle === 'lost', 'lost'),
    ...tally((entry) => entry.lifecycle === 'stale', 'stale'),
    ...tally((entry) => entry.lifecycle === 'unknown', 'unknown'),
    ...tally((entry) => entry.lifecycle === 'safe-to-close', 'safe to close'),
    ...(hidden > 0 ? [span(`${hidden} hidden by the filter`)] : []),
    ...(roll.memory === null
      ? []
      : [span(`memory ${partOf(roll.memory.availableBytes, roll.memory.totalBytes)} available`)]),
  ];
}

/** The parts on as many lines as the width asks for, broken only between parts. */
export function joinParts(parts: readonly Span[], width: number | null): Line[] {
  const lines: Span[][] = [];
  for (const part of parts) {
    const current = lines.at(-1);
    const longer = current === undefined ? undefined : [...current, span(SEPARATOR, 'quiet'), part];
    if (current !== undefined && longer !== undefined && (width === null || lineWidth(longer) <= width)) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push([part]);
    }
  }
  return lines;
}
