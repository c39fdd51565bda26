import type { SessionFacts } from '../../ledger/current-facts.ts';
import { isCarried } from '../../memory/moved.ts';
import { whenceOf } from '../../sight/identity.ts';
import { spoken } from '../../text/duration.ts';
import { visible } from '../../text/visible.ts';
import { because, keptUntil } from '../../verdict/retention.ts';
import { attributeAll } from '../attribute.ts';
import type { DoctorFacts } from '../facts.ts';
import type { FindingParts } from '../finding.ts';
import { sessionLife } from '../session-life.ts';
import { recordedName, sessionWord } from '../session-words.ts';
import type { DoctorCheck } from './check.ts';

/** A retention that was over for so long kept nothing any more, ms. */
const LONG_OVER_MS = 24 * 60 * 60 * 1000;

/** Holds and retentions without a session, and those that have probably outlived their reason. */
export const staleHolds: DoctorCheck = {
  name: 'stale-holds',
  group: 'sessions',
  looksAt: 'holds and retentions of sessions that are gone, and very old ones',
  examine: (facts) => {
    const { ledger } = facts;
    if (ledger.state === 'failed') return { problem: ledger.text };
    return [...ledger.sessions.values()].flatMap((one) => [...holds(one, facts), ...retentions(one, facts)]);
  },
};

function holds(one: SessionFacts, facts: DoctorFacts): FindingParts[] {
  const { key, held } = one;
  if (held === null) return [];
  const { now, care } = facts;
  const since = `held for ${spoken(now.at - held.at)}${because(shown(held.reason))}`;
  const life = lifeOf(one, facts);
  if (life === 'gone') return [withoutSession(one, 'hold', since, facts)];
  if (life === 'unknown' || now.at - held.at < care.staleHoldMs) return [];
  return [
    {
      class: 'old-hold',
      severity: 'warning',
      text: `${shown(one.name)} is ${since}`,
      evidence: [`doctor.staleHoldAfter is ${spoken(care.staleHoldMs)}`],
      advice: [`if its reason is over: rollcall unhold ${wordOn(one, facts)}`],
      session: key,
    },
  ];
}

function retentions(one: SessionFacts, facts: DoctorFacts): FindingParts[] {
  const { key, retained } = one;
  if (retained === null) return [];
  const { at } = facts.now;
  const until = keptUntil(retained, facts.now);
  const isRunning = until > at;
  const life = lifeOf(one, facts);
  if (isRunning) {
    const since = `kept for ${spoken(at - retained.at)}${because(shown(retained.reason))}`;
    return life === 'gone' ? [withoutSession(one, 'retention', since, facts)] : [];
  }
  const overForMs = at - until;
  if (life !== 'alive' || overForMs < LONG_OVER_MS) return [];
  return [
    {
      class: 'retention-over',
      severity: 'info',
      text: `${shown(one.name)} was to be kept until ${spoken(overForMs)} ago, and is still there`,
      evidence: [`kept on request${because(shown(retained.reason))}`],
      advice: [`see what prevents closing it: rollcall explain ${wordOn(one, facts)}`],
      session: key,
    },
  ];
}

// What was closed or put back elsewhere is over in any case; a key is never used again.
function lifeOf(one: SessionFacts, facts: DoctorFacts) {
  const life = sessionLife(one.key, facts);
  if (life === 'alive') return life;
  if (one.closed !== null || one.reopened !== null) return 'gone';
  // It protects the session that shows its pane by now.
  return life === 'gone' && isCarried(one, facts.roll.sessions) ? 'alive' : life;
}

function withoutSession(
  one: SessionFacts,
  what: 'hold' | 'retention',
  since: string,
  facts: DoctorFacts,
): FindingParts {
  const { key } = one;
  const end = knownEnd(one, facts);
  // It holds up a receipt, so it is not in vain.
  const isUnsettled = facts.roll.sessions.some((entry) => entry.key === key && entry.ended && !entry.receipt);
  const inUse = end === null ? null : whyInUse(key, facts);
  return {
    class: `${what}-without-session`,
    severity: 'warning',
    text: `${shown(one.name)} is gone, and still ${since}`,
    evidence: [
      end ?? 'it was recorded before this machine was started, or on one that has the same machine id',
      ...(inUse === null ? [] : [inUse]),
    ],
    remedy: end === null || isUnsettled || inUse !== null ? null : { kind: 'take-back', key, what },
    advice: [adviceOn(wordOn(one, facts), what, end === null || isUnsettled, inUse !== null)],
    session: key,
  };
}

function adviceOn(word: string, what: 'hold' | 'retention', isTold: boolean, isInUse: boolean): string {
  if (isTold) return `if it is over, say so, which touches nothing: rollcall close ${word}`;
  const command = what === 'hold' ? `unhold ${word}` : `retain ${word} --release`;
  return isInUse
    ? `if nobody needs what is left: rollcall ${command}; what is a leftover then may be ended`
    : `record that its ${what} is over; nothing else is touched`;
}

// A hold also protects what its session left running, so only a person may take it back then. What keeps a process today may
// be gone tomorrow: every process counts that is tied to the session.
function whyInUse(key: string, facts: DoctorFacts): string | null {
  const left = attributeAll(facts).filter(
    ({ session, claims }) => session?.key === key || claims.includes(key),
  );
  const [first] = left;
  if (first !== undefined) {
    const { pid } = first.stranger.process;
    const more = left.length > 1 ? ` and ${left.length - 1} more` : '';
    return `it protects what is left of it: ${first.stranger.program.name} (pid ${pid})${more}`;
  }
  return facts.table.isComplete ? null : 'whether anything is left of it that it protects cannot be seen';
}

// Ids of machines are copied with their disks: another boot may be another machine's, and then its sessions live there.
function knownEnd(one: SessionFacts, facts: DoctorFacts): string | null {
  const { closed, reopened } = one;
  if (reopened !== null) return `it was put back as ${recordedName(reopened.key, facts)}`;
  if (closed !== null) return `it was closed: receipt ${visible(closed.receipt, 80)}`;
  return whenceOf(one, facts.roll.host) === 'this' ? 'no server has it any more' : null;
}

// Commands look for sessions on the roll; what is not there is found by its key alone.
function wordOn({ key }: SessionFacts, { roll }: DoctorFacts): string {
  const entry = roll.sessions.find((one) => one.key === key);
  return entry === undefined ? key : sessionWord(entry, roll);
}

function shown(text: string | null): string {
  return visible(text ?? '', 200);
}
