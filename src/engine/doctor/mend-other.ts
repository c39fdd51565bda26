import { isDeepStrictEqual } from 'node:util';
import { reportOf } from '../../core/doctor/checks/check.ts';
import { CHECKS } from '../../core/doctor/checks/index.ts';
import type { DoctorFacts } from '../../core/doctor/facts.ts';
import type { Finding, Mending, Remedy } from '../../core/doctor/finding.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import { closeSession } from '../act/close/close-session.ts';
import { reportOn } from '../act/close/report.ts';
import { declare } from '../act/declare.ts';
import { release } from '../act/declare-standing.ts';
import { WRITER_TIMEOUT_MS } from '../act/deed.ts';
import { settledOr } from '../act/trouble.ts';
import type { Mendable, Mender } from './mender.ts';

type Said = Pick<Mending, 'result' | 'text'>;

/** What a check finds now, and what it was concluded from. */
interface Proof {
  readonly facts: DoctorFacts;
  readonly findings: readonly Finding[];
}

/**
 * Mends what is no process, check by check: only where the same check finds the same thing once more. Everything is looked
 * at once for a check, for each remedy compares at its last moment what it changes; a close takes its time, so what comes
 * after one is proven anew.
 */
export async function mendOthers(
  mender: Mender,
  wanted: readonly Mendable[],
  tell: (mending: Mending) => void,
): Promise<void> {
  for (const check of new Set(wanted.map((one) => one.check))) {
    let proof: Proof | null = null;
    for (const one of wanted.filter((other) => other.check === check)) {
      proof ??= proofOf(check, await mender.gather());
      tell({ check, finding: one.finding, ...(await mendProven(mender, one.remedy, proof)) });
      if (one.remedy.kind === 'close-session') proof = null;
    }
  }
}

function proofOf(check: string, facts: DoctorFacts): Proof {
  const own = CHECKS.find(({ name }) => name === check);
  return { facts, findings: own === undefined ? [] : reportOf(own, facts).findings };
}

async function mendProven(mender: Mender, remedy: Remedy, { facts, findings }: Proof): Promise<Said> {
  if (!findings.some((finding) => isDeepStrictEqual(finding.remedy, remedy))) {
    return untouched('it is not so any more');
  }
  try {
    return await mend(mender, remedy, facts);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return { result: 'failed', text: `the ledger: ${error.message}` };
  }
}

function mend(mender: Mender, remedy: Remedy, facts: DoctorFacts): Promise<Said> {
  switch (remedy.kind) {
    case 'close-session':
    case 'settle-lost':
      return close(mender, remedy, facts);
    case 'take-back':
      return takeBack(mender, remedy, facts);
    case 'own-file':
      return mendFile(mender, remedy);
    case 'end-process':
      return Promise.resolve(untouched('processes are ended together with others of their session'));
  }
}

// Through the ladder, with its own proof: only what is safe to close and under care, as `close --due` has it.
async function close(
  { hands, argv, timings }: Mender,
  { kind, key }: Extract<Remedy, { kind: 'close-session' | 'settle-lost' }>,
  { roll }: DoctorFacts,
): Promise<Said> {
  const entry = roll.sessions.find((one) => one.key === key);
  if (entry === undefined) return untouched('the session is not there');
  if ((entry.lifecycle === 'lost') !== (kind === 'settle-lost')) {
    return untouched(kind === 'settle-lost' ? 'the session is there again' : 'the session is lost');
  }
  const result = await closeSession(hands, {
    ...{ entry, argv, timings, reason: 'rollcall doctor --fix' },
    wish: { isForced: false, despite: [], isAutomatic: true },
    onProgress: () => {},
  });
  const { exitCode, text } = reportOn(entry, result, hands.now());
  if (exitCode === 0) return { result: 'mended', text };
  return result.state === 'failed' || result.state === 'unrecorded'
    ? { result: 'failed', text }
    : { result: 'skipped', text: `it stands: ${text}` };
}

async function takeBack(
  { hands }: Mender,
  { key, what }: Extract<Remedy, { kind: 'take-back' }>,
  { ledger }: DoctorFacts,
): Promise<Said> {
  const name = (ledger.state === 'read' ? ledger.sessions.get(key)?.name : undefined) ?? '';
  const session = { key, name };
  const declared =
    what === 'hold'
      ? await declare(hands, 'unhold', session, (facts) => (facts?.held ? {} : null))
      : await release(hands, session);
  const settled = settledOr(declared, hands.now());
  if ('exit' in settled) return { result: 'failed', text: settled.text };
  return settled.state === 'declared'
    ? { result: 'mended', text: `the ${what} is taken back` }
    : untouched(`the ${what} was taken back already`);
}

async function mendFile(
  { hands, files }: Mender,
  remedy: Extract<Remedy, { kind: 'own-file' }>,
): Promise<Said> {
  const claim = { task: 'doctor', argv: [] };
  const held = await hands.writer.hold(claim, WRITER_TIMEOUT_MS, async (): Promise<Said> => {
    const mended = files.mend(remedy);
    if (mended.state === 'changed') return untouched(mended.text);
    if (mended.state === 'failed') return { result: 'failed', text: mended.text };
    const { path, what } = remedy;
    hands.ledger.append({ kind: 'note', action: 'doctor-file', session: null, body: { path, what } });
    return { result: 'mended', text: what === 'remove' ? 'it is removed' : 'only you may read it now' };
  });
  if (held.state === 'done') return held.value;
  return { result: 'failed', text: held.state === 'busy' ? 'another rollcall is writing' : held.text };
}

function untouched(why: string): Said {
  return { result: 'skipped', text: `nothing was touched: ${why}` };
}
