import type { Life } from '../../lock/life.ts';
import { spoken } from '../../text/duration.ts';
import { visible } from '../../text/visible.ts';
import type { DoctorFacts } from '../facts.ts';
import type { FindingParts } from '../finding.ts';
import { processLife } from '../session-life.ts';
import type { DoctorCheck } from './check.ts';

/** Rounds are seconds apart, a minute at most; after this long the daemon no longer supervises. */
const SILENT_MS = 5 * 60 * 1000;

/** Whether the daemon that says it runs really does. None at all is a choice. */
export const daemon: DoctorCheck = {
  name: 'daemon',
  group: 'machine',
  scope: 'machine',
  looksAt: 'whether the daemon lives and still takes rounds',
  examine: (facts) => {
    const seen = facts.machine.daemon;
    if (seen.state === 'none') return [];
    if (seen.state === 'unreadable') return [unreadable(seen.path, seen.text)];
    const life = lifeOf(seen, facts);
    if (life === 'gone') return [gone(seen.pid, facts.now.at - seen.startedAt)];
    return life === 'unknown' ? [] : alive(facts, seen);
  },
};

type Read = Extract<DoctorFacts['machine']['daemon'], { state: 'read' }>;

function lifeOf({ pid, startTicks, bootId, pidNamespace }: Read, { roll, table }: DoctorFacts): Life {
  if (bootId !== roll.host.bootId) return 'gone';
  // A daemon in another container that shares the state folder cannot be seen from here.
  return pidNamespace === roll.host.pidNamespace ? processLife(pid, startTicks, table) : 'unknown';
}

function alive(facts: DoctorFacts, { pid, problems, lastRoundAt }: Read): FindingParts[] {
  if (facts.table.byPid.get(pid)?.state === 'T') {
    const text = `the daemon (pid ${pid}) is stopped`;
    return [finding('stopped', 'error', text, [`wake it: kill -CONT ${pid}`], pid)];
  }
  const silentMs = lastRoundAt === null ? 0 : silenceSince(lastRoundAt, facts);
  const silent = `the daemon (pid ${pid}) has taken no round for ${spoken(silentMs)}`;
  const without = problems.map((one) => {
    const text = `the daemon (pid ${pid}) does without something: ${visible(one, 200)}`;
    return finding('does-without', 'info', text, RESTART, pid);
  });
  return silentMs < SILENT_MS ? without : [finding('silent', 'error', silent, RESTART, pid), ...without];
}

// It wrote a time of the wall clock: whatever the machine slept through or the clock was stepped by since it started is
// taken off, so that nothing looks longer silent than it is.
function silenceSince(lastRoundAt: number, { now, recollection }: DoctorFacts): number {
  return now.at - lastRoundAt - now.suspendedMs - (recollection?.steppedMs ?? 0);
}

const LOG = 'its log tells more: daemon.log in the state folder';
const RESTART = ['start it anew: rollcall down && rollcall up', LOG];

function gone(pid: number, sinceMs: number): FindingParts {
  const text = `the daemon that was started ${spoken(Math.max(0, sinceMs))} ago (pid ${pid}) is gone without a word`;
  return finding('gone', 'warning', text, ['start it again: rollcall up', LOG]);
}

function unreadable(path: string, text: string): FindingParts {
  const shown = `what the daemon wrote about itself cannot be read: ${visible(`${path}: ${text}`, 300)}`;
  return finding('unreadable', 'warning', shown, RESTART);
}

function finding(
  kind: string,
  severity: FindingParts['severity'],
  text: string,
  advice: readonly string[],
  pid?: number,
): FindingParts {
  const base = { class: kind, severity, text, evidence: ['daemon.json'], advice };
  return pid === undefined ? base : { ...base, pid };
}
