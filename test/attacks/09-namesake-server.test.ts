import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionEntry } from '../../src/core/sight/roll.ts';
import { hasWorlds } from '../laws/world.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { type RealLook, realLook } from '../support/real-look.ts';
import { until } from '../support/until.ts';

// Numbers in a new pid namespace can be chosen: whoever is forked next has the one after this.
const isRoot = process.getuid?.() === 0;

let tmux: PrivateTmux;
let look: RealLook;
let inits: number[];

beforeEach(async () => {
  tmux = new PrivateTmux('namesake');
  look = realLook([tmux]);
  inits = [];
  await tmux.session('ours');
});
afterEach(() => {
  for (const pid of inits) process.kill(pid, 'SIGKILL');
  tmux.stop();
});

/** Runs a script in a pid and mount namespace of its own, which end with the test. */
function contain(script: string, env: NodeJS.ProcessEnv): void {
  const flags = ['-m', '-p', '-f', '--kill-child=KILL', '--mount-proc'];
  const child = spawn('unshare', [...flags, 'bash', '-c', script], { env, stdio: 'ignore' });
  if (child.pid !== undefined) inits.push(child.pid);
}

async function outside(): Promise<unknown> {
  const session = await look.session('ours', { inspect: (all) => all });
  return session.checks.find(({ code }) => code === 'nothing-outside');
}

describe.skipIf(!hasWorlds || !isRoot)('a tmux server in a container with the number of ours', () => {
  it('leaves our session alone with what runs in its panes, although even its socket is called the same', async () => {
    expect(await outside()).toMatchObject({ state: 'met' });
    const ready = join(tmux.folder, 'ready');
    const inside = join(tmux.folder, 'inside');
    mkdirSync(inside);
    // The same path in a mount of its own, so that both marks are the same to the letter.
    const script = `mount -t tmpfs none ${join(tmux.folder, `tmux-${process.getuid?.()}`)} || exit 1
      chmod 700 ${join(tmux.folder, `tmux-${process.getuid?.()}`)}
      until [ "$(tmux -L namesake display-message -p '#{pid}' 2>/dev/null)" = ${tmux.serverPid} ]; do
        tmux -L namesake kill-server 2>/dev/null
        echo ${tmux.serverPid - 3} > /proc/sys/kernel/ns_last_pid
        tmux -L namesake -f /dev/null new-session -d 'setsid -f sh -c "env > ${ready}.new; mv ${ready}.new ${ready}; exec sleep 1000"; exec sleep 1000'
      done
      sleep 1000`;
    contain(script, { ...tmux.env, TMUX: undefined, TMUX_PANE: undefined });
    // One that came by another number is gone again soon.
    const mark = `TMUX=${tmux.socketPath},${tmux.serverPid},0\n`;
    const marks = await until(
      'a namesake runs',
      () => (existsSync(ready) ? readFileSync(ready, 'utf8') : ''),
      (text) => text.includes(mark),
    );
    expect(marks).toContain('TMUX_PANE=%0\n');
    expect(await outside()).toMatchObject({ state: 'met' });
  });

  it('has no process of ours in its panes, although their numbers are the same, too', async () => {
    const { pid } = await tmux.session('alike', 'sleep', '1000');
    const socketPath = `${tmux.socketPath}-inner`;
    const config = join(tmux.folder, 'stays.conf');
    writeFileSync(config, 'set -s exit-empty off\n');
    const script = `t() { tmux -S ${socketPath} -f ${config} "$@" 2>/dev/null; }
      until [ "$(t display-message -p '#{pid}')" = ${tmux.serverPid} ]; do
        t kill-server
        echo ${tmux.serverPid - 3} > /proc/sys/kernel/ns_last_pid
        t start-server
      done
      until [ "$(t list-panes -s -t inner -F '#{pane_pid}')" = ${pid} ]; do
        t kill-session -t inner
        last=$((last % 4 + 1))
        echo $((${pid} - last)) > /proc/sys/kernel/ns_last_pid
        t new-session -d -s inner sleep 1000
      done
      sleep 1000`;
    contain(script, { ...tmux.env, TMUX: undefined, TMUX_PANE: undefined });
    const both = realLook([tmux, { socketPath, folder: tmux.folder } as PrivateTmux]);
    const pidsOf = ({ panes }: SessionEntry) => panes.map((pane) => pane.pid);
    const inner = await until(
      'its pane has the number of ours',
      async () => (await both.roll()).sessions.find(({ name }) => name === 'inner'),
      (one) => one !== undefined && pidsOf(one).includes(pid),
    );
    const alone = await realLook([{ socketPath, folder: tmux.folder } as PrivateTmux]).session('inner');
    // Where nobody looks at our server, what carries a mark with its number may at most hold up a close.
    const processesOf = (one: SessionEntry | undefined) =>
      one?.evidence
        .flatMap((piece) => (piece.kind === 'processes' ? piece.processes : []))
        .filter(({ relation }) => relation !== 'outside');
    for (const one of [inner, alone]) expect([one?.lifecycle, processesOf(one)]).toEqual(['unknown', []]);
    expect(pidsOf(await both.session('alike'))).toEqual([pid]);
  });

  it('may have detached work of an ended program that is not seen from here', async () => {
    const socketPath = `${tmux.socketPath}-inner`;
    const config = join(tmux.folder, 'stays.conf');
    writeFileSync(config, 'set -g remain-on-exit on\n');
    const ended = `bash -c 'env -i setsid -f sleep 1000 < /dev/null > /dev/null 2>&1'`;
    // tmux 3.3a misses the end of a program now and then, until it hears of another one.
    const script = `t() { tmux -S ${socketPath} -f ${config} "$@"; }
      t new-session -d -s inner -c ${tmux.folder} ${ended}
      server=$(t display-message -p '#{pid}')
      while kill -CHLD "$server"; do sleep 0.2; done`;
    contain(script, { ...tmux.env, TMUX: undefined, TMUX_PANE: undefined });
    const from = realLook([{ socketPath, folder: tmux.folder } as PrivateTmux]);
    const inner = await until(
      'its program has ended',
      async () => (await from.roll({ inspect: (all) => all })).sessions.find(({ name }) => name === 'inner'),
      (one) => one?.activity === 'exited',
    );
    expect(inner?.lifecycle).toBe('stale');
    expect(inner?.checks.find(({ code }) => code === 'nothing-outside')).toMatchObject({ state: 'unknown' });
  });

  it('is another matter than what a pane of ours started into a sandbox', async () => {
    const ready = join(tmux.folder, 'ready');
    const sandboxed = `setsid -f unshare -p -f --mount-proc sh -c ': > ${ready}; sleep 1000'`;
    await tmux.tmux('send-keys', '-t', '=ours:', sandboxed, 'Enter');
    await until('it runs', () => existsSync(ready));
    expect(await outside()).toMatchObject({ state: 'unmet' });
  });
});
