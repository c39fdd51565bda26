import type { SessionEntry } from '../../core/sight/roll.ts';
import { counted } from '../../core/text/counted.ts';
import { age, localTime, longBytes, shortDuration } from '../render/amounts.ts';
import { type Line, line, span } from '../render/line.ts';
import { activityTone, activityWords, lifecycleTone } from '../render/tones.ts';
import { wrap } from '../render/wrap.ts';
import type { ExplainContext } from './context.ts';

/** Who it is and how it stands, before any reason. */
export function headLines({ entry, now, width }: ExplainContext): Line[] {
  const title = [
    span(entry.name, 'heading'),
    span('  '),
    span(activityWords(entry), activityTone(entry)),
    span(' · '),
    span(entry.lifecycle, lifecycleTone(entry.lifecycle)),
    span(` · for ${shortDuration(now - entry.since)}`),
  ];
  const rows: [string, string | null][] = [
    ['agent', agentWords(entry)],
    ['session', `${entry.sessionId}, created ${age(entry.createdAt, now)} (${localTime(entry.createdAt)})`],
    ['server', serverWords(entry)],
    ['task', entry.task],
    ['role', entry.role],
    ['owner', entry.owner],
    ['attached', entry.attached === 0 ? 'nobody' : counted(entry.attached, 'client')],
    ['memory', entry.memoryBytes === null ? 'not known' : longBytes(entry.memoryBytes)],
    ['receipt', entry.receipt ?? null],
    ['retained', entry.retainedUntil === null ? null : `until ${localTime(entry.retainedUntil)}`],
  ];
  return [
    ...wrap([], title, width),
    line(),
    ...rows.flatMap(([label, text]) => (text === null ? [] : labelled(label, text, width))),
  ];
}

/** One fact under its label, in the columns of the head. */
export function labelled(label: string, text: string, width: number | null, indent = 2): Line[] {
  return wrap([span(`${' '.repeat(indent)}${label.padEnd(9)} `, 'quiet')], line(text), width);
}

function agentWords({ agent }: SessionEntry): string {
  if (agent === null) return 'none';
  const version = agent.version === null ? '' : ` ${agent.version}`;
  const pid = agent.pid === null ? ', has exited' : `, pid ${agent.pid}`;
  const conversation = agent.conversation === null ? '' : `, conversation ${agent.conversation}`;
  return `${agent.kind}${version}${pid}${conversation}`;
}

function serverWords({ server }: SessionEntry): string {
  const version = server.version === null ? 'tmux' : `tmux ${server.version}`;
  return `${server.label} (${version}, pid ${server.pid}, ${server.socketPath})`;
}
