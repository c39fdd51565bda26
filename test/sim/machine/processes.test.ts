import { describe, expect, it } from 'vitest';
import { Machine } from './machine.ts';

describe('simulated processes', () => {
  it('take no signal that was meant for whoever had the number before', () => {
    const { processes, clock } = new Machine('pids');
    const first = processes.spawn({ argv: ['one'], cwd: '/', ppid: 1 }, 'person');
    processes.end(first, { status: 0 }, 'kernel');
    clock.suspend(1000);
    processes.nextPidIs(first.pid);
    const second = processes.spawn({ argv: ['two'], cwd: '/', ppid: 1 }, 'person');
    expect(second.pid).toBe(first.pid);
    expect(processes.signal(first, 'SIGTERM', 'person')).toBe('gone');
    expect(processes.isAlive(second)).toBe(true);
  });

  it('take SIGTERM once they go on, where they were stopped', () => {
    const { processes } = new Machine('stop');
    const one = processes.spawn({ argv: ['one'], cwd: '/', ppid: 1 }, 'person');
    expect(processes.signal(one, 'SIGSTOP', 'person')).toBe('stopped');
    expect(processes.signal(one, 'SIGTERM', 'person')).toBe('later');
    expect(processes.signal(one, 'SIGCONT', 'person')).toBe('ends');
  });

  it('are seen as the very same objects as long as nothing changes, and use their share of a core', async () => {
    const { processes, clock } = new Machine('seen');
    const one = processes.spawn({ argv: ['one'], cwd: '/', ppid: 1 }, 'person');
    expect(processes.seen()).toBe(processes.seen());
    const before = processes.seen().get(one.pid)?.cpuMs ?? 0;
    processes.use(one, 0.5);
    await clock.runUntil(2000);
    expect((processes.seen().get(one.pid)?.cpuMs ?? 0) - before).toBe(1000);
  });
});

describe('the simulated clock', () => {
  it('stands still for processes while the machine is suspended, and not for the world', async () => {
    const { clock } = new Machine('clock');
    const told: string[] = [];
    const now = (name: string) => () => told.push(`${name} ${clock.ms} ${clock.awakeMs - 3 * 3_600_000}`);
    clock.after(2000, now('process'));
    clock.atMs(2500, now('story'));
    clock.atMs(1000, () => clock.suspend(10_000));
    clock.after(2000, now('behind it'));
    await clock.runUntil(20_000);
    expect(told).toEqual(['story 11000 1000', 'process 12000 2000', 'behind it 12000 2000']);
    const { at, awakeMs, suspendedMs } = clock.moment();
    clock.step(-5000);
    expect(clock.moment()).toEqual({ at: at - 5000, awakeMs, suspendedMs });
  });
});
