import { describe, expect, it } from 'vitest';
import type { Process, ProcessTable } from '../../../src/core/sight/process.ts';
import type { PaneSighting, ServerSighting } from '../../../src/core/sight/sighting.ts';
import { withProvenEnds } from '../../../src/core/verdict/proven-end.ts';
import { pane, present, SERVER, session } from '../guard/guard-samples.ts';

const process = (pid: number, over: Partial<Process> = {}): Process => ({
  ...{ pid, ppid: SERVER.pid, pgid: pid, sid: pid, tpgid: -1, state: 'S', startTicks: 9, startedAt: 0 },
  ...{ comm: 'train', cpuMs: 0, rssBytes: 0 },
  ...over,
});
const server = process(SERVER.pid, { ppid: 1, startTicks: SERVER.startTicks });
const table = (processes: readonly Process[], isComplete = true): ProcessTable => ({
  ...{ observedAt: 0, isComplete },
  byPid: new Map(processes.map((one) => [one.pid, one])),
});
const DEAD = pane('%1', 201, { isDead: true, tty: '/dev/pts/7' });
const seen = (sighting: PaneSighting, processes: ProcessTable): PaneSighting | undefined =>
  withProvenEnds(present([session([sighting])]), processes).sessions[0]?.panes[0];

describe('a pane that tmux calls dead', () => {
  it.each<[string, Partial<Process>]>([
    ['sleeps', {}],
    ['is stopped', { state: 'T' }],
    ['has let go of all that a terminal session is', { sid: 1, pgid: 1 }],
  ])('lives on without a terminal while its process %s', (_, over) => {
    expect(seen(DEAD, table([server, process(201, over)]))).toEqual({
      ...pane('%1', 201),
      hasNoTerminal: true,
    });
  });

  it.each<[string, PaneSighting, readonly Process[]]>([
    ['nobody has its number', DEAD, [server]],
    ['its process only waits to be asked for', DEAD, [server, process(201, { state: 'Z' })]],
    ['its process is being taken away', DEAD, [server, process(201, { state: 'X' })]],
    ['the same, on older kernels', DEAD, [server, process(201, { state: 'x' })]],
    ['another process got its number', DEAD, [server, process(201, { ppid: 1 })]],
    ['one older than the server has its number', DEAD, [server, process(201, { startTicks: 2 })]],
    ['tmux tells its status', { ...DEAD, exitStatus: 0 }, [server, process(201)]],
    ['tmux tells its signal', { ...DEAD, exitSignal: 'SIGKILL' }, [server, process(201)]],
  ])('has ended where %s', (_, sighting, processes) => {
    expect(seen(sighting, table(processes))).toBe(sighting);
  });

  it.each<[string, ProcessTable]>([
    ['processes are hidden', table([server], false)],
    ['its server is not in the table', table([])],
    ['another process has the number of its server', table([{ ...server, startTicks: 8 }])],
  ])('has not been shown to have ended where %s', (_, processes) => {
    expect(seen(DEAD, processes)).toMatchObject({ isDead: false, hasNoTerminal: true });
  });

  it('has not been shown to have ended where the start of its server is not known', () => {
    const unknown = { ...present([session([DEAD])]), startTicks: 0 };
    const [one] = withProvenEnds(unknown, table([{ ...server, startTicks: 0 }])).sessions;
    expect(one?.panes[0]?.isDead).toBe(false);
  });

  it('leaves all others as they were', () => {
    const others = [pane('%2', 202), pane('%3', 203, { isDead: true, exitStatus: 1 })];
    const whole = present([session([DEAD, ...others])]);
    const [one] = withProvenEnds(whole, table([server, process(201)])).sessions;
    expect(one?.panes.slice(1)).toEqual(others);
    const quiet = present([session(others)]);
    expect(withProvenEnds(quiet, table([]))).toBe(quiet);
    const gone: ServerSighting = { state: 'absent', socketPath: '/s', observedAt: 0 };
    expect(withProvenEnds(gone, table([]))).toBe(gone);
  });
});
