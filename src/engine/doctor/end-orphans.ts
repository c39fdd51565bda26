import { type Attributed, attributeAll } from '../../core/doctor/attribute.ts';
import type { ProcessFacts } from '../../core/doctor/facts.ts';
import type { Mending } from '../../core/doctor/finding.ts';
import { protectionOf } from '../../core/doctor/origin.ts';
import { grouped } from '../../core/grouped.ts';
import type { EntrySession } from '../../core/ledger/entry.ts';
import type { JsonObject } from '../../core/ledger/json.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import { isSameProcess, type ProcessMark, processKey } from '../../core/sight/identity.ts';
import { visible } from '../../core/text/visible.ts';
import { killAll, terminateAll, untilGone } from '../act/close/processes.ts';
import { type Performed, perform } from '../act/deed.ts';
import { factsOf } from '../act/hands.ts';
import { holdingText } from '../act/trouble.ts';
import type { EndMendable, Mendable, Mender } from './mender.ts';
import { END_ACTION } from './recover-ending.ts';

/**
 * Ends processes that outlived their session, session by session: each group under the lock of its session, with an
 * intent before and an outcome after.
 */
export async function endOrphans(
  mender: Mender,
  wanted: readonly EndMendable[],
  tell: (mending: Mending) => void,
): Promise<void> {
  if (wanted.length === 0) return;
  const { proven, changed } = prove(wanted, await mender.gatherProcesses());
  changed.forEach(tell);
  for (const group of grouped(proven, ({ proof }) => proof.session?.key ?? '').values()) {
    for (const mending of await endSafely(mender, group)) tell(mending);
  }
}

async function endSafely(mender: Mender, group: readonly OrphanTarget[]): Promise<readonly Mending[]> {
  const all = (result: Mending['result'], text: string) =>
    group.map(({ wanted: { check, finding } }) => ({ check, finding, result, text }));
  try {
    const performed = await endGroup(mender, group);
    if (performed.state === 'performed') return performed.value;
    if (performed.state === 'moot')
      return all('skipped', 'nothing was touched: its session is protected now');
    if (performed.state === 'failed') return all('failed', `${performed.text}; ${performed.hint}`);
    const by = holdingText(performed.by, mender.hands.now());
    return all('skipped', `nothing was touched: another rollcall is at its session: ${by}`);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return all('failed', `the ledger: ${error.message}`);
  }
}

/** An orphan of ours as the newest facts have it, and the finding that is to be mended by its end. */
export interface OrphanTarget {
  readonly wanted: EndMendable;
  readonly proof: Attributed;
}

/** Which of them are orphans of ours by these facts; of the others, what they are instead. */
export function prove(
  wanted: readonly EndMendable[],
  facts: ProcessFacts,
): { readonly proven: readonly OrphanTarget[]; readonly changed: readonly Mending[] } {
  const words = new Map(attributeAll(facts).map((one) => [processKey(one.stranger.process), one]));
  const proven: OrphanTarget[] = [];
  const changed: Mending[] = [];
  for (const one of wanted) {
    const proof = words.get(processKey(one.remedy));
    const mayEnd =
      proof?.class === 'ours-orphaned' || (one.remedy.isNamed && proof?.class === 'left-running');
    if (proof !== undefined && mayEnd) proven.push({ wanted: one, proof });
    else changed.push(skipped(one, proof?.text ?? whyUnseen(one, facts)));
  }
  return { proven, changed };
}

export function skipped({ check, finding }: Mendable, why: string): Mending {
  return { check, finding, result: 'skipped', text: `nothing was touched: ${why}` };
}

function whyUnseen({ remedy }: EndMendable, { table }: ProcessFacts): string {
  const found = table.byPid.get(remedy.pid);
  if (found === undefined) return 'it is gone';
  return found.startTicks === remedy.startTicks
    ? 'nothing proves any more that it is an orphan'
    : `it is gone, and pid ${remedy.pid} is another process now`;
}

/** Every lasting step, beside intent and outcome. */
export type EndStep = 'terminate' | 'kill' | 'receipt';

/** Ends what one session left behind. Between the last proof and a signal nothing is awaited. */
export function endGroup(
  mender: Mender,
  group: readonly OrphanTarget[],
): Promise<Performed<readonly Mending[]>> {
  const session = (group[0] as OrphanTarget).proof.session as EntrySession;
  const all = group.map(({ wanted }) => wanted);
  return perform<readonly Mending[], EndStep>(
    mender.hands,
    {
      ...{ action: END_ACTION, session, argv: mender.argv },
      intend: (facts) =>
        facts?.origin == null || protectionOf(facts, keeping(mender)) !== null
          ? null
          : { processes: group.map(recordOf) },
    },
    async (deed) => {
      const mendings: Mending[] = [];
      const first = await deed.step('terminate', async () => {
        const sure = await proveAgain(mender, session, all, mendings);
        return { sure, refused: terminateAll(mender.hands, sure) };
      });
      let left = await untilGone(mender.hands, first.sure, mender.timings.terminateMs, mender.timings);
      const refused = [...first.refused];
      if (mender.isForced && left.length > 0) {
        const wanted = all.filter(({ remedy }) => left.some(isSame(remedy)));
        left = await deed.step('kill', async () => {
          const sure = await proveAgain(mender, session, wanted, []);
          refused.push(...killAll(mender.hands, sure));
          return untilGone(mender.hands, left, mender.timings.killMs, mender.timings);
        });
      }
      const tried = group.filter(({ wanted }) => first.sure.some(isSame(wanted.remedy)));
      mendings.push(
        ...tried.map(({ wanted }) => resultOf(wanted, left.some(isSame(wanted.remedy)), refused)),
      );
      const result = mendings.every((one) => one.result === 'mended') ? 'done' : 'partly';
      await deed.receipt({ result, processes: tried.map((one) => receiptOf(one, mendings)) });
      const text = mendings.map((one) => visible(`pid ${one.finding.pid}: ${one.text}`, 300)).join('; ');
      return { session, body: { result, text: visible(text) }, value: mendings };
    },
  );
}

function keeping({ protectedBy, hands }: Mender) {
  return { protectedBy, now: hands.moment() };
}

function isSame(mark: ProcessMark): (other: ProcessMark) => boolean {
  return (other) => isSameProcess(other, mark);
}

/** Proves once more with fresh facts, and reads the ledger last: a session that was held meanwhile is left alone. */
async function proveAgain(
  mender: Mender,
  session: EntrySession,
  wanted: readonly EndMendable[],
  changed: Mending[],
): Promise<readonly ProcessMark[]> {
  const proof = prove(wanted, await mender.gatherProcesses());
  changed.push(...proof.changed);
  const facts = factsOf(mender.hands, session);
  const keeps = facts === undefined ? 'its session is not recorded' : protectionOf(facts, keeping(mender));
  if (keeps === null) {
    const sure = proof.proven.filter(({ proof: { session: own } }) => own?.key === session.key);
    const others = proof.proven.filter((one) => !sure.includes(one));
    changed.push(...others.map((one) => skipped(one.wanted, 'it belongs to another session')));
    return sure.map(({ wanted: { remedy } }) => ({ pid: remedy.pid, startTicks: remedy.startTicks }));
  }
  changed.push(...proof.proven.map((one) => skipped(one.wanted, keeps)));
  return [];
}

function resultOf(
  { check, finding, remedy }: EndMendable,
  isLeft: boolean,
  refused: readonly string[],
): Mending {
  if (!isLeft) return { check, finding, result: 'mended', text: 'it has ended' };
  const why = refused.find((text) => text.includes(`pid ${remedy.pid}:`));
  return why === undefined
    ? { check, finding, result: 'unanswered', text: 'it did not end on SIGTERM; --force ends it' }
    : { check, finding, result: 'failed', text: why };
}

function recordOf({ wanted: { remedy }, proof }: OrphanTarget): JsonObject {
  const { pid, startTicks, program } = remedy;
  const { command } = proof.stranger.program;
  return {
    ...{ pid, startTicks, program: visible(program, 120), command: visible(command, 300) },
    evidence: proof.evidence.map((line) => visible(line, 300)),
  };
}

function receiptOf(target: OrphanTarget, mendings: readonly Mending[]): JsonObject {
  const { wanted } = target;
  const mending = mendings.find(({ finding }) => finding === wanted.finding);
  return {
    ...recordOf(target),
    memoryBytes: wanted.finding.memoryBytes ?? null,
    result: mending?.result ?? null,
  };
}
