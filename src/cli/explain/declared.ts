import type { Declared, DeclaredGate } from '../../core/verdict/declared.ts';
import { age, localTime } from '../render/amounts.ts';
import type { Line } from '../render/line.ts';
import type { ExplainContext } from './context.ts';
import { labelled } from './head.ts';

/** What was declared about the session, and when; nothing where nothing was. */
export function declaredLines({ entry, now, width }: ExplainContext): Line[] {
  const standing = entry.evidence.find((piece) => piece.kind === 'standing');
  if (standing === undefined) return [];
  return rowsOf(standing, now).flatMap(([label, text]) => labelled(label, text, width));
}

function rowsOf(standing: Standing, now: number): Row[] {
  const { origin, claims, held, retained, completion, closing, gates = [] } = standing;
  const { branch, worktree, pr } = claims ?? {};
  const rows: (Row | false | undefined)[] = [
    origin && [origin.how, age(origin.at, now)],
    branch !== undefined && ['branch', branch],
    worktree !== undefined && ['worktree', worktree],
    pr !== undefined && ['pr', pr],
    held && ['held', `${age(held.at, now)}${because(held.reason)}`],
    retained && ['retained', `${age(retained.at, now)}, ${untilWords(retained)}${because(retained.reason)}`],
    completion && ['complete', completionWords(completion, now)],
    ...gates.filter(({ expiresAt }) => expiresAt > now).map((gate): Row => ['gate', gateWords(gate)]),
    closing && ['closing', `since ${age(closing.at, now)}`],
  ];
  return rows.filter((row): row is Row => Array.isArray(row));
}

type Standing = Declared & { readonly closing?: { readonly at: number } };
type Row = [label: string, text: string];

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
