import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLinuxProcessSensor } from '../../../src/adapters/proc/process-sensor.ts';
import type { Process } from '../../../src/core/sight/process.ts';
import { until } from '../../support/until.ts';
import { asNobody } from './fake-proc.ts';
import { RealProcesses, startTicksOf } from './real-processes.ts';

describe.runIf(process.platform === 'linux')('the process sensor on the real /proc', () => {
  const sensor = createLinuxProcessSensor();
  const real = new RealProcesses();
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'p-'));
  });
  afterEach(async () => {
    await real.endAll();
    rmSync(folder, { recursive: true, force: true });
  });

  const seen = (pid: number) => sensor.sense().byPid.get(pid);
  const seenAs = async (pid: number, comm: string): Promise<Process> => {
    const process = await until(
      `${pid} is ${comm}`,
      () => seen(pid),
      (found) => found?.comm === comm && found.state === 'S',
    );
    if (process === undefined) throw new Error(`${pid} is gone`);
    return process;
  };

  test('sees this very process as it is', () => {
    const table = sensor.sense();
    const self = table.byPid.get(process.pid);
    expect(self).toMatchObject({
      pid: process.pid,
      ppid: process.ppid,
      startTicks: startTicksOf(process.pid),
    });
    const vmRss = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
    expect((self?.rssBytes ?? 0) / vmRss).toBeCloseTo(1, 0);
    const startedAt = Date.now() - process.uptime() * 1000;
    expect(Math.abs((self?.startedAt ?? 0) - startedAt)).toBeLessThan(10_000);
    expect(sensor.details([self as Process]).get(process.pid)?.cwd).toBe(process.cwd());
  });

  test('S6: a process that is gone, or a pid under another start mark, is never described', async () => {
    const child = await real.start(['sleep', '300'], { TMUX_PANE: '%5' });
    const process = await seenAs(child.pid, 'sleep');
    expect(sensor.details([process]).get(child.pid)?.argv).toEqual(['sleep', '300']);
    expect(sensor.markers([process]).get(child.pid)?.tmuxPane).toBe('%5');

    const other = { pid: child.pid, startTicks: process.startTicks + 1 };
    expect(sensor.details([other]).size).toBe(0);
    expect(sensor.markers([other]).size).toBe(0);

    await real.endAll();
    await until('it is out of the table', () => seen(child.pid) === undefined);
    expect(sensor.details([process]).size).toBe(0);
    expect(sensor.markers([process]).size).toBe(0);
  });

  test('S8: a program named "a) S 1 (b" is seen under that name with its own fields', async () => {
    const program = join(folder, 'a) S 1 (b');
    copyFileSync('/bin/sleep', program);
    chmodSync(program, 0o755);
    const child = await real.start([program, '300']);
    expect(await seenAs(child.pid, 'a) S 1 (b')).toMatchObject({
      ppid: process.pid,
      startTicks: startTicksOf(child.pid),
    });
  });

  test('S21: setsid, nohup and double-forked children stay visible, with session and markers', async () => {
    const tmux = `${folder}/socket,1,0`;
    const script = [
      'setsid sleep 301 & nohup sleep 302 & (setsid sh -c "sleep 303 & exit" &) ',
      'sleep 300 & read line',
    ].join('\n');
    const shell = await real.start(['sh', '-c', script], { TMUX: tmux, TMUX_PANE: '%21' });

    const look = () => {
      const { byPid } = sensor.sense();
      const markers = sensor.markers(byPid.values());
      const ours = [...markers.values()].filter((found) => found.tmux === tmux).map(({ pid }) => pid);
      for (const pid of ours) real.own(pid);
      const sleeps = ours.map((pid) => byPid.get(pid) as Process).filter(({ comm }) => comm === 'sleep');
      const details = sensor.details(sleeps);
      return { ours, sleeps: new Map(sleeps.map((found) => [details.get(found.pid)?.argv[1], found])) };
    };
    const { sleeps } = await until(
      'all four sleep and the double-forked one has lost its parent',
      look,
      (found) =>
        ['300', '301', '302', '303'].every((seconds) => found.sleeps.has(seconds)) &&
        !found.ours.includes(found.sleeps.get('303')?.ppid ?? 0),
    );

    const sidOfShell = sensor.sense().byPid.get(shell.pid)?.sid;
    expect(sleeps.get('300')?.sid).toBe(sidOfShell);
    expect(sleeps.get('302')?.sid).toBe(sidOfShell);
    expect(sleeps.get('301')?.sid).toBe(sleeps.get('301')?.pid);
    expect(sleeps.get('303')?.sid).not.toBe(sidOfShell);
    expect(sleeps.get('303')?.ppid).not.toBe(shell.pid);
  });

  test('follows an exec, which keeps pid and start mark', async () => {
    const child = await real.start(['sh', '-c', 'read line; TMUX_PANE=%2 exec sleep 300'], {
      TMUX_PANE: '%1',
    });
    const before = await seenAs(child.pid, 'sh');
    expect(sensor.details([before]).get(child.pid)?.argv[0]).toBe('sh');
    expect(sensor.markers([before]).get(child.pid)?.tmuxPane).toBe('%1');
    child.stdin?.write('go\n');
    const after = await seenAs(child.pid, 'sleep');
    expect(after.startTicks).toBe(before.startTicks);
    expect(sensor.details([after]).get(child.pid)?.argv).toEqual(['sleep', '300']);
    expect(sensor.markers([after]).get(child.pid)?.tmuxPane).toBe('%2');
  });

  test('the CPU counter grows for a spinning child and not for a sleeping one', async () => {
    const spinning = await real.start(['sh', '-c', 'while :; do :; done']);
    const sleeping = await real.start(['sleep', '300']);
    const before = await seenAs(sleeping.pid, 'sleep');
    await until(
      '200 ms were spun away',
      () => seen(spinning.pid)?.cpuMs ?? 0,
      (cpuMs) => cpuMs >= 200,
    );
    expect(seen(sleeping.pid)?.cpuMs).toBe(before.cpuMs);
  });

  test('storage traffic and share of memory are what the kernel says, where it says it', async () => {
    const script = `head -c 200000 /dev/zero > '${folder}/out'; : > '${folder}/done'; read line`;
    const child = await real.start(['sh', '-c', script]);
    // Before that it shares its memory with what it forks, and sleeps as well.
    await until('it only reads', () => existsSync(join(folder, 'done')));
    const process = await seenAs(child.pid, 'sh');
    const kernel = (file: string, pattern: RegExp) => {
      try {
        const text = readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
        return [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
      } catch {
        return undefined;
      }
    };
    const pss = kernel('smaps_rollup', /^Pss: +(\d+)/gm);
    const { ioBytes, pssBytes, argv, cwd } = sensor.details([process]).get(child.pid) ?? {};
    expect(ioBytes).toBe(kernel('io', /^(?:read|write)_bytes: (\d+)/gm));
    // The share of the C library moves when other programs come and go.
    if (pss !== undefined) expect(Math.abs((pssBytes ?? 0) / (pss * 1024) - 1)).toBeLessThan(0.5);
    expect(cwd).toBe(globalThis.process.cwd());
    expect(sensor.details([process], { memory: false, io: false }).get(child.pid)).toEqual({
      ...{ pid: child.pid, startTicks: process.startTicks },
      ...{ argv, cwd },
    });
  });

  test('a zombie is seen as one, without arguments', async () => {
    const child = await real.start(['sh', '-c', 'sleep 0 & exec sleep 300']);
    const zombie = await until(
      'the child of the child is a zombie',
      () => [...sensor.sense().byPid.values()].find((process) => process.ppid === child.pid),
      (found) => found?.state === 'Z',
    );
    expect(sensor.details([zombie as Process]).get(zombie?.pid ?? 0)).toMatchObject({ argv: [] });
  });

  test.runIf(process.getuid?.() === 0)(
    'S34: a process of another user keeps its secrets, and nothing is thrown',
    async () => {
      const child = await real.start(['sleep', '300'], { TMUX_PANE: '%5' });
      const found = await seenAs(child.pid, 'sleep');
      const { details, markers } = asNobody(() => {
        const other = createLinuxProcessSensor();
        return { details: other.details([found]).get(child.pid), markers: other.markers([found]) };
      });
      expect(details).toEqual({ pid: child.pid, startTicks: found.startTicks, argv: ['sleep', '300'] });
      expect(markers.size).toBe(0);
    },
  );

  test('S57: a real process with 1.4 MB of arguments, or of environment, is read to the end', async () => {
    const word = 'x'.repeat(100_000);
    const wordy = await real.start([
      'sh',
      '-c',
      'read line',
      ...Array.from({ length: 14 }, () => word),
      'last',
    ]);
    const { argv } = sensor.details([await seenAs(wordy.pid, 'sh')]).get(wordy.pid) ?? { argv: [] };
    expect(argv).toHaveLength(18);
    expect(argv.at(-1)).toBe('last');
    expect(argv[5]).toBe(word);

    const names = Array.from({ length: 14 }, (_, index) => [`JUNK_${index}`, word]);
    const crowded = await real.start(['sleep', '300'], { ...Object.fromEntries(names), TMUX_PANE: '%57' });
    const process = await seenAs(crowded.pid, 'sleep');
    expect(sensor.markers([process]).get(crowded.pid)?.tmuxPane).toBe('%57');
  });
});
