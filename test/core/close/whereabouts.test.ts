import { describe, expect, it } from 'vitest';
import { whereaboutsOf } from '../../../src/core/close/whereabouts.ts';
import type { Process, ProcessTable } from '../../../src/core/sight/process.ts';
import { idleAgent } from '../../support/evidence.ts';
import { entry, roll } from './entry.ts';

const server: Process = {
  ...{ pid: 7, ppid: 1, pgid: 7, sid: 7, tpgid: -1, state: 'S', startTicks: 70, startedAt: 0 },
  ...{ comm: 'tmux: server', cpuMs: 0, rssBytes: 0 },
};
const table = (...processes: Process[]): ProcessTable => ({
  observedAt: 0,
  isComplete: true,
  byPid: new Map(processes.map((one) => [one.pid, one])),
});
const seen = entry(idleAgent());
const other = entry(idleAgent(), { key: 'm.b.7.70.s2.1800000000' });
const silent = { ...seen.server, version: null };

describe('a session', () => {
  it('is there where its server shows it', () => {
    expect(whereaboutsOf(seen, roll([seen]), table(server))).toEqual({ state: 'there', entry: seen });
  });

  it('S32: is gone only where its server answers without it, or is gone itself', () => {
    expect(whereaboutsOf(seen, roll([other]), table(server))).toEqual({ state: 'gone' });
    expect(whereaboutsOf(seen, roll([]), table())).toEqual({ state: 'gone' });
    expect(whereaboutsOf(seen, roll([]), table(server))).toMatchObject({ state: 'unknown' });
    expect(whereaboutsOf(seen, roll([{ ...seen, server: silent }]), table(server))).toMatchObject({
      state: 'unknown',
    });
    expect(whereaboutsOf(seen, roll([{ ...other, server: silent }]), table(server))).toMatchObject({
      state: 'unknown',
    });
  });

  it('S34: is not gone because a server whose process was never seen is silent', () => {
    const unseen = { ...seen, server: { ...seen.server, startTicks: 0 } };
    expect(whereaboutsOf(unseen, roll([]), table())).toMatchObject({ state: 'unknown' });
    expect(whereaboutsOf(unseen, roll([]), table(server))).toMatchObject({ state: 'unknown' });
  });

  it('is gone where its server answers and has no session left', () => {
    const empty = { ...roll([]), servers: roll([seen]).servers };
    expect(whereaboutsOf(seen, empty, table(server))).toEqual({ state: 'gone' });
  });

  it('S3: is gone where another server has its place', () => {
    const later = { ...seen, key: 'other', server: { ...seen.server, startTicks: 71 } };
    expect(whereaboutsOf(seen, roll([later]), table({ ...server, startTicks: 71 }))).toEqual({
      state: 'gone',
    });
    expect(whereaboutsOf(seen, roll([later]), table(server))).toMatchObject({ state: 'unknown' });
  });

  it('is not there where the roll only remembers it as lost', () => {
    const lost = { ...seen, lifecycle: 'lost' as const };
    expect(whereaboutsOf(seen, roll([lost, other]), table(server))).toEqual({ state: 'gone' });
    expect(whereaboutsOf(seen, { ...roll([lost]), servers: [] }, table(server))).toMatchObject({
      state: 'unknown',
    });
  });
});
