import { type HoldingProcess, type LockSighting, leftBehind } from '../../lock/sighting.ts';
import { WRITER } from '../../lock/subject.ts';
import { spoken } from '../../text/duration.ts';
import { visible } from '../../text/visible.ts';
import type { DoctorFacts } from '../facts.ts';
import type { FindingParts } from '../finding.ts';
import type { DoctorCheck } from './check.ts';

/** No action takes so long: whoever holds the writer's lock for more is stuck, ms. */
const STUCK_MS = 10 * 60 * 1000;

/** Who holds which lock. The kernel takes a lock back with its last holder, so none is ever removed here. */
export const locks: DoctorCheck = {
  name: 'locks',
  group: 'machine',
  scope: 'machine',
  looksAt: 'held locks and their holders, above all the one writer’s',
  examine: (facts) => {
    const { locks: seen } = facts.machine;
    if (seen.state === 'failed') return { problem: `${seen.text}; ${seen.hint}` };
    return seen.locks.filter(({ state }) => state === 'held').flatMap((lock) => findingsOn(lock, facts));
  },
};

function findingsOn(lock: LockSighting, facts: DoctorFacts): FindingParts[] {
  const held = lock.heldBy ?? [];
  // This very run may hold one.
  if (held.some(({ part }) => part === 'self')) return [];
  const stopped = held.find(({ pid }) => facts.table.byPid.get(pid)?.state === 'T');
  if (stopped !== undefined) return [byStopped(lock, stopped)];
  const left = leftBehind(lock);
  if (left.length > 0) return [byLeftBehind(lock, left)];
  const heldMs = lock.holder === null ? 0 : facts.now.at - lock.holder.since;
  const isStuck = lock.name === WRITER.name && lock.project === null && heldMs > STUCK_MS;
  if (isStuck) return [byStuck(lock, heldMs)];
  return [{ ...about(lock), class: 'held', severity: 'ok', text: `${titleOf(lock)} is held` }];
}

function byStopped(lock: LockSighting, { pid }: HoldingProcess): FindingParts {
  const advice = [`wake it: kill -CONT ${pid}`, `or end it: kill ${pid} && kill -CONT ${pid}`];
  const text = `${titleOf(lock)} is held by pid ${pid}, which is stopped`;
  return { ...about(lock), class: 'stopped-holder', severity: 'error', text, advice, pid };
}

function byLeftBehind(lock: LockSighting, left: readonly HoldingProcess[]): FindingParts {
  const pids = left.map(({ pid }) => pid).join(' ');
  const text = `${titleOf(lock)} is kept by what its runner left behind: pid ${pids}`;
  const advice = [`look at it: ps -fp ${pids.replaceAll(' ', ',')}`, `end it: kill ${pids}`];
  return { ...about(lock), class: 'left-behind', severity: 'warning', text, advice };
}

function byStuck(lock: LockSighting, heldMs: number): FindingParts {
  const text = `${titleOf(lock)} has been held for ${spoken(heldMs)}: nothing else can act meanwhile`;
  const advice = ['see what it does; once it has ended, the next command completes what it began'];
  return { ...about(lock), class: 'stuck-writer', severity: 'error', text, advice };
}

function about({ heldBy, holder, file }: LockSighting) {
  const task = holder?.task ?? null;
  return {
    evidence: [
      ...(heldBy ?? []).map(({ pid, program, part }) => `pid ${pid}, ${visible(program, 60)} (${part})`),
      ...(task === null ? [] : [`for: ${visible(task, 120)}`]),
      visible(file, 200),
    ],
  };
}

function titleOf({ name, project }: LockSighting): string {
  const whose = project === null ? '' : ` of ${visible(project, 120)}`;
  return `the lock '${visible(name, 60)}'${whose}`;
}
