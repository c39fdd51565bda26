import type { Roll, SessionEntry } from '../../core/sight/roll.ts';
import { counted } from '../../core/text/counted.ts';
import type { Declared, DeclaredGate } from '../../core/verdict/declared.ts';
import { age, localTime, longBytes, shortDuration } from '../render/amounts.ts';
import { type Line, span } from '../render/line.ts';
import { labelled, page } from '../render/page.ts';
import { activityTone, activityWords, lifecycleTone } from '../render/tones.ts';
import { wrap } from '../render/wrap.ts';

/** What every part of an explanation is made from. A null width neither cuts nor breaks. */
export interface ExplainContext {
  readonly roll: Roll;
  readonly entry: SessionEntry;
  readonly now: number;
  readonly width: number | null;
}

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
  const rows: readonly Row[] = [
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
  return page([wrap([], title, width), facts(rows, width)]);
}

/** What was declared about the session, and when; nothing where nothing was. */
export function declaredLines({ entry, now, width }: ExplainContext): Line[] {
  const standing = entry.evidence.find((piece) => piece.kind === 'standing');
  return standing === undefined ? [] : facts(declaredRows(standing, now), width);
}

/** Facts beside their labels; what is null or false is left out. */
export function facts(rows: readonly Row[], width: number | null, indent = 2): Line[] {
  return rows.flatMap(([label, text]) =>
    text ? labelled(label, text, width, { indent, room: 10, tone: 'quiet' }) : [],
  );
}

type Row = readonly [label: string, text: string | null | false | undefined];

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

function declaredRows(
  standing: Declared & { readonly closing?: { readonly at: number } },
  now: number,
): Row[] {
  const { origin, claims, held, retained, completion, closing, gates = [] } = standing;
  return [
    [origin?.how ?? '', origin && age(origin.at, now)],
    ['branch', claims?.branch],
    ['worktree', claims?.worktree],
    ['pr', claims?.pr],
    ['held', held && `${age(held.at, now)}${because(held.reason)}`],
    ['retained', retained && `${age(retained.at, now)}, ${untilWords(retained)}${because(retained.reason)}`],
    ['complete', completion && completionWords(completion, now)],
    ...gates.filter(({ expiresAt }) => expiresAt > now).map((gate): Row => ['gate', gateWords(gate)]),
    ['closing', closing && `since ${age(closing.at, now)}`],
  ];
}

function untilWords({ until }: NonNullable<Declared['retained']>): string {
  return until === null ? 'until somebody says otherwise' : `until ${localTime(until)}`;
}

function completionWords(
  { at, outcome, evidence, blockers }: NonNullable<Declared['completion']>,
  now: number,
): string {
  const refused =
    blockers.length === 0 ? '' : `; not accepted: ${blockers.map(({ text }) => text).join('; ')}`;
  return `${outcome}, ${age(at, now)}${because(evidence)}${refused}`;
}

function gateWords({ id, task, expiresAt, missing, stale }: DeclaredGate): string {
  const what = task ?? 'unfinished work';
  const lacks = missing.length === 0 ? '' : `; missing: ${missing.join('; ')}`;
  const gone = stale === null ? '' : '; let go all the same';
  return `${what} (${id}), until ${localTime(expiresAt)}${lacks}${gone}`;
}

function because(reason: string | null): string {
  return reason === null || reason === '' ? '' : `: ${reason}`;
}
