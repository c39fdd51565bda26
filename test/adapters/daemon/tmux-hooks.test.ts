import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTmuxHooks } from '../../../src/adapters/daemon/tmux-hooks.ts';
import { createTmuxRunner } from '../../../src/adapters/tmux/run-tmux.ts';
import type { Wake } from '../../../src/core/supervision/round.ts';
import type { WakeSource } from '../../../src/ports/daemon.ts';
import { PrivateTmux } from '../../support/private-tmux.ts';
import { until } from '../../support/until.ts';
import { KeptLog, roundOf } from './daemon-samples.ts';

let tmux: PrivateTmux;
let woken: Wake[];
let log: KeptLog;
let started: WakeSource[];
beforeEach(async () => {
  tmux = new PrivateTmux('hooked');
  await tmux.session('one');
  woken = [];
  log = new KeptLog();
  started = [];
});
afterEach(async () => {
  for (const source of started) await source.stop();
  tmux.stop();
});

// Everything that a shell, tmux or its formats could take for something else.
const folder = () => join(tmux.folder, `si'g "n$als #{pane_id} #(touch pwned)`);
const hooks = (isOn = true): WakeSource => {
  const run = createTmuxRunner({ env: tmux.env, timeoutMs: 15_000 });
  const made = createTmuxHooks({
    ...{ folder: folder(), isOn, log },
    run: async (socketPath, command) => {
      const ran = await run(socketPath, command, { maxBytes: 1 << 20 });
      return ran.ended === 'exit' && ran.code === 0 ? ran.stdout.toString() : null;
    },
  });
  made.start((why) => woken.push(why));
  return made;
};
const here = () =>
  roundOf({
    servers: [{ socketPath: tmux.socketPath, label: 'hooked', version: '3.3a', pid: tmux.serverPid }],
  });
const ours = async () =>
  [await tmux.tmux('show-hooks', '-g'), await tmux.tmux('show-hooks', '-gw')]
    .join('\n')
    .split('\n')
    .filter((line) => line.includes('[900]'));

describe('hooks in a tmux server', () => {
  test('wake when a session comes, is renamed or goes, whatever the path holds', async () => {
    const made = hooks();
    started.push(made);
    await made.follow(here());
    for (const act of [
      () => tmux.session('two'),
      () => tmux.tmux('rename-session', '-t', '=two', 'three'),
      () => tmux.tmux('kill-session', '-t', '=three'),
    ]) {
      woken.length = 0;
      await act();
      await until('a hint', () => woken.includes('tmux-hook'));
    }
    expect(existsSync(join(tmux.folder, 'pwned'))).toBe(false);
  });

  test('are set once for each server, go on the way out, and leave the user’s own alone', async () => {
    await tmux.tmux('set-hook', '-g', 'session-created[0]', 'display-message mine');
    await tmux.tmux('set-hook', '-g', 'session-created[901]', 'display-message mine');
    const before = await tmux.tmux('show-hooks', '-g', 'session-created');
    const made = hooks();
    await made.follow(here());
    await made.follow(here());
    expect(await ours()).toHaveLength(9);
    await made.stop();
    expect(await ours()).toEqual([]);
    expect(await tmux.tmux('show-hooks', '-g', 'session-created')).toBe(before);
  });

  test('S47: that a killed daemon left are removed by the next, also by one that sets none', async () => {
    await hooks().follow(here());
    expect(await ours()).toHaveLength(9);
    const next = hooks(false);
    started.push(next);
    await next.follow(here());
    expect(await ours()).toEqual([]);
    await tmux.session('two');
    expect(woken).toEqual([]);
  });

  test('leave a hook of somebody else at their own index as it is, and say so', async () => {
    await tmux.tmux('set-hook', '-g', 'session-created[900]', 'display-message theirs');
    const made = hooks();
    await made.follow(here());
    expect(log.events).toEqual(['tmux-hooks-taken']);
    await made.stop();
    expect(await ours()).toEqual(['session-created[900] display-message theirs']);
  });

  test('stay silent when their folder is gone', async () => {
    const made = hooks();
    await made.follow(here());
    rmSync(folder(), { recursive: true });
    await tmux.session('two');
    // tmux answers after the shell that it was asked for later.
    await tmux.tmux('run-shell', 'sleep 0.2');
    // What a hook prints is shown in the pane, over what stands there.
    expect(await tmux.tmux('list-panes', '-a', '-F', '#{pane_in_mode}')).toBe('0\n0');
    mkdirSync(folder());
    await made.stop();
    expect(await ours()).toEqual([]);
  });
});
