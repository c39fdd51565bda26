import { describe, expect, it } from 'vitest';
import { guardFailure, guardLine } from '../../../src/cli/guard/report.ts';
import type { EndedDead } from '../../../src/contract/guard-document.ts';

const pane = { paneId: '%1', pid: 201, sessionId: null, screen: null } as const;
const died = (over: Partial<EndedDead>): EndedDead => ({
  ...{
    state: 'died',
    cause: 'pane-died',
    why: 'pane %1 died',
    observedAt: 1,
    watchedMs: 1,
    name: 'build',
    panes: [],
  },
  ...over,
});
const details = (over: Partial<EndedDead>) => guardFailure(died(over), null).details;

describe('a death, as a person reads it', () => {
  it('names each pane with how it ended, or that nobody knows', () => {
    const panes = [
      { ...pane, state: 'died', process: 'dead', exit: { status: 3, signal: null } },
      { ...pane, state: 'died', process: 'dead', exit: { status: null, signal: 'SIGKILL' } },
      { ...pane, state: 'closed', process: 'dead', exit: null },
      { ...pane, state: 'closed', process: 'alive', exit: null },
      { ...pane, state: 'alive', process: 'alive', exit: null, screen: { at: 1, lines: ['  ready ', ''] } },
    ] as const;
    expect(details({ panes })).toEqual([
      '%1  pid 201  died, exit status 3',
      '%1  pid 201  died, SIGKILL',
      '%1  pid 201  closed, exit status not known',
      '%1  pid 201  closed, its process still runs',
      '%1  pid 201  alive',
      '  last on its screen: ready',
    ]);
  });

  it('says where the sentinel is, or why it is not', () => {
    const line = (problem: string | null) =>
      guardFailure(died({}), { path: '/a/s.json', problem }).details.at(-1);
    expect(line(null)).toBe('sentinel: /a/s.json');
    expect(line('ENOSPC')).toBe('the sentinel could not be written: ENOSPC');
  });

  it('advises', () => {
    expect(guardFailure(died({}), null)).toMatchObject({ exitCode: 8, hint: 'start it again' });
    expect(guardFailure(died({ cause: 'session-replaced' }), null).hint).toContain('has its name now');
  });

  it('shows names without control characters', () => {
    const outcome = {
      state: 'healthy',
      observedAt: 1,
      watchedMs: 1500,
      name: 'a\u001b[2J',
      panes: [],
    } as const;
    expect(guardLine(outcome)).toBe('a\\e[2J: alive, 0 panes, watched for 1.5 s');
  });
});
