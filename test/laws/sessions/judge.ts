import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Done } from './deeds.ts';
import { KEEPS } from './incidents.ts';
import type { Member, Standing } from './member.ts';
import { isSame } from './processes.ts';
import { DRAFT } from './set-up.ts';
import type { Sweep } from './spec.ts';
import {
  againstPerson,
  againstReaper,
  againstSchedule,
  againstSettling,
  againstSleep,
  type Reason,
} from './truth.ts';

/** What the ledger says of one session. */
export interface Recorded {
  readonly receipts: readonly Receipt[];
}

export interface Receipt {
  readonly receipt: string;
  readonly result: string;
  readonly archive: string | null;
  readonly rungs: Done['rungs'];
  readonly resume: readonly string[] | null;
  readonly session: { readonly name: string };
}

/** Everything about one session that the oracle goes by. */
export interface Case {
  readonly member: Member;
  readonly done: Done | null;
  readonly sweep: Sweep;
  readonly after: Standing;
  readonly recorded: Recorded;
}

export type Fate = 'kept' | 'closed' | 'asleep';

const ENDS = new Set(['close', 'hibernate', 'sleep-and-wake']);
/** A session is over with one of these. */
const FINAL = new Set(['closed', 'finished', 'gone', 'recovered']);
const ACTS = new Set(['ask', 'terminate', 'kill', 'remove', 'sleep']);
/** What somebody is told who comes while a daemon is at it, or after. */
const ELSEWHERE = new Set([
  'already-closing',
  'already-closed',
  'already-asleep',
  'gone',
  'vanished',
  'refused',
  'aborted',
]);

const AGAINST = { due: againstSchedule, daemon: againstSettling, reaper: againstReaper };

/** What may be named beside the reasons: more of the same is no mistake. */
const BESIDE = new Set(['confirmed', 'seen-now', 'recent-input', 'nothing-unsent']);

/** Everything that is wrong with one session, and what became of it. */
export function judge(one: Case): { readonly fate: Fate; readonly wrongs: string[] } {
  const { done, after, recorded } = one;
  const wrongs: string[] = [];
  const finals = recorded.receipts.filter(({ result }) => FINAL.has(result));
  const sleeps = recorded.receipts.filter(({ result }) => result === 'asleep');
  const fate: Fate = finals.length > 0 ? 'closed' : sleeps.length > 0 ? 'asleep' : 'kept';
  const say = (text: string) => wrongs.push(text);
  if (finals.length > 1) say(`${finals.length} receipts of its end`);
  if (sleeps.length > 1) say(`${sleeps.length} receipts of its sleep`);
  if (finals.length > 0 && after.isThere) say('there is a receipt of its end, and it stands');
  const against = reasonsFor(one);
  const happened = done?.happened ?? null;
  const isMoved = happened?.movedTo !== undefined;
  if (finals.length === 0 && !after.isThere && !isMoved && happened?.what !== 'ends' && !isEndedByItself(one))
    say('it is gone without a receipt');
  if (fate !== 'kept' && against.all.length > 0)
    say(`it is ${fate}, and must not be: ${codesOf(against.all)}`);
  wrongs.push(...judgeAnswer(one, against));
  if (fate === 'kept') wrongs.push(...judgeKept(one));
  else wrongs.push(...judgeEnded(one, [...finals, ...sleeps]));
  wrongs.push(...judgeIncident(one));
  // Whoever types a command behind a draft sends it themselves.
  const isSent = after.given.some((line) => line.includes(DRAFT)) && happened?.what !== 'command';
  if (isSent) say('what somebody had typed was sent');
  return { fate, wrongs };
}

interface Against {
  readonly person: readonly Reason[] | null;
  readonly sweep: readonly Reason[] | null;
  /** Against whoever was stopped by the least; empty where one of them may. */
  readonly all: readonly Reason[];
}

function reasonsFor({ member: { spec }, done, sweep }: Case): Against {
  const isAsked = ENDS.has(spec.deed);
  const person = !isAsked ? null : spec.deed === 'close' ? againstPerson(spec) : againstSleep(spec);
  const kept: Reason[] = [];
  // What was answered holds from then on; before that a daemon may have been quicker.
  if ((spec.deed === 'hold' || spec.deed === 'retain') && done?.result === 'done')
    kept.push({ codes: ['held', 'retained', 'rested'], stops: 'everybody' });
  const automatic = sweep === 'none' ? null : AGAINST[sweep](spec);
  const swept = automatic === null ? null : [...automatic, ...kept];
  const lists = [person, swept].filter((list) => list !== null);
  const nobody: Reason[] = [{ codes: ['nobody asked'], stops: 'everybody' }];
  return { person, sweep: swept, all: lists.find((list) => list.length === 0) ?? lists[0] ?? nobody };
}

const codesOf = (reasons: readonly Reason[]) => reasons.map(({ codes }) => codes.join('/')).join(', ');

/** A dead pane or a turned agent may leave by itself only where somebody told it to. */
function isEndedByItself({ done }: Case): boolean {
  return done?.happened.what === 'ends' && done.happened.doneAt !== null;
}

function judgeAnswer({ member: { spec }, done, sweep }: Case, { person, sweep: swept }: Against): string[] {
  if (done === null || person === null) return [];
  const { result, text, named, happened } = done;
  const isDone = result === 'closed' || result === 'asleep';
  if (person.length > 0 && isDone) return [`${spec.deed} was done, and must not be: ${codesOf(person)}`];
  if (happened.what !== 'none') return [];
  const isShared = sweep !== 'none' && sweep !== 'due' && swept?.length === 0;
  if (isShared && ELSEWHERE.has(result)) return [];
  const wanted = spec.deed === 'close' ? 'closed' : 'asleep';
  if (person.length === 0)
    return result === wanted ? [] : [`${spec.deed} was answered with ${result}: ${text} (${named})`];
  if (result !== 'refused')
    return [`${spec.deed} should be refused, and was answered with ${result}: ${text}`];
  if (spec.deed !== 'close' && spec.program !== 'agent') return [];
  const missing = person.filter(({ codes }) => !codes.some((code) => named.includes(code)));
  const known = new Set(person.flatMap(({ codes }) => codes));
  const more = named.filter((code) => !known.has(code) && !BESIDE.has(code));
  return [
    ...(missing.length > 0 ? [`the refusal does not name ${codesOf(missing)}, only ${named}`] : []),
    ...(more.length > 0 ? [`the refusal names ${more}, which is not so (${codesOf(person)})`] : []),
  ];
}

// What stays is as it was: panes, processes, text, and nobody typed into it.
function judgeKept(one: Case): string[] {
  const { member, done, after, sweep } = one;
  const { before, spec } = member;
  const happened = done?.happened;
  const isDisturbed = happened !== undefined && happened.what !== 'none';
  const acted = (done?.rungs ?? []).some(({ rung, result }) => ACTS.has(rung) && result !== 'skipped');
  const wrongs: string[] = [];
  const { sweep: swept, person } = reasonsFor(one);
  const isFree = !isDisturbed && done?.result !== 'aborted';
  if (swept?.length === 0 && isFree && !(ENDS.has(spec.deed) && person?.length === 0)) {
    wrongs.push(
      `it should have been taken by ${sweep === 'due' ? 'close --due' : `the ${sweep}`}, and was not`,
    );
  }
  // Only an interrupted close leaves something changed behind.
  if (acted || happened?.what === 'ends') return wrongs;
  const dead = before.processes.filter((process) => !isSame(process));
  if (dead.length > 0) wrongs.push(`it was kept, and ${dead.map(({ argv }) => argv.join(' '))} is gone`);
  if (!isDisturbed || happened?.doneAt === null) {
    if (after.given.join() !== before.given.join()) wrongs.push(`its agent was given ${after.given}`);
    const ids = (panes: Standing['panes']) => panes.map(({ id, pid }) => `${id}.${pid}`).join();
    if (ids(before.panes) !== ids(after.panes)) wrongs.push('its panes are not the same');
    if (!isDisturbed)
      for (const [id, text] of before.screens)
        if (after.screens.get(id) !== text) wrongs.push(`pane ${id} shows something else`);
  }
  return wrongs;
}

// What went left nothing running, was asked as it should be, and is kept whole.
function judgeEnded({ member, after, done }: Case, receipts: readonly Receipt[]): string[] {
  const { spec, before, conversation } = member;
  const wrongs: string[] = [];
  // Its pane is in another session now: what is recorded as gone was never touched.
  if (receipts.some(({ result }) => result === 'gone')) return judgeGone(member, done);
  const ending = after.isThere
    ? before.processes.filter(({ argv }) => argv.includes(conversation))
    : before.processes;
  const left = ending.filter(isSame);
  if (left.length > 0) wrongs.push(`it ended, and ${left.map(({ argv }) => argv.join(' '))} still runs`);
  const [receipt] = receipts;
  if (receipt === undefined) return ['it ended without a receipt'];
  if (receipt.archive === null) return [...wrongs, 'its receipt has no archive'];
  if (receipt.session.name !== spec.name && done?.happened.what !== 'rename')
    wrongs.push(`its receipt is called ${receipt.session.name}`);
  const isAgent = spec.program === 'agent';
  if (isAgent && !receipt.resume?.includes(conversation))
    wrongs.push('its receipt does not say how to resume it');
  if (spec.program !== 'shell' && spec.program !== 'job' && !keeps(receipt.archive, conversation))
    wrongs.push('its archive has not what it showed');
  const told = after.given.filter((line) => line !== 'turn');
  const usual = spec.manner === 'leaves' ? ['line /exit'] : ['line /exit', 'TERM'];
  const hasEndedItself = done?.happened.what === 'ends';
  if (isAgent && !hasEndedItself && done?.happened.what !== 'command' && told.join() !== usual.join())
    wrongs.push(`its agent was given ${told}`);
  return wrongs;
}

function judgeGone({ before }: Member, done: Done | null): string[] {
  const what = done?.happened.what;
  if (what === 'ends') return [];
  if (what !== 'move') return ['it is recorded as gone, and nobody took it'];
  const dead = before.processes.filter((process) => !isSame(process));
  return dead.map(({ argv }) => `it was moved away, and ${argv.join(' ')} is gone`);
}

function keeps(archive: string, text: string): boolean {
  try {
    const names = readdirSync(archive, { recursive: true, encoding: 'utf8' });
    return names.some((name) => {
      try {
        return readFileSync(join(archive, name), 'utf8').includes(text);
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}

// Nothing is begun once somebody is there; what was begun before may end.
function judgeIncident({ done, recorded, after, member }: Case): string[] {
  const happened = done?.happened;
  if (happened === undefined || happened.doneAt === null || !KEEPS.has(happened.what)) return [];
  const { doneAt, what, begun = [] } = happened;
  const rungs = [...(done?.rungs ?? []), ...recorded.receipts.flatMap((one) => one.rungs)];
  const later = rungs.filter(
    ({ rung, startedAt, result }) => ACTS.has(rung) && result !== 'skipped' && startedAt > doneAt,
  );
  const wrongs = later.map(
    ({ rung, startedAt }) => `${what}, and ${startedAt - doneAt} ms later ${rung} began`,
  );
  if (what === 'hold' && !after.isThere) wrongs.push('hold was answered with done, and it is gone');
  const alive = new Set(after.processes.map(({ pid }) => pid));
  for (const pid of begun) if (!alive.has(pid)) wrongs.push(`${what}: what somebody began in it is gone`);
  void member;
  return wrongs;
}
