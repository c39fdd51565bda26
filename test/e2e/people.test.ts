import { spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionEntry } from '../../src/core/sight/roll.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { type RealLook, realLook } from '../support/real-look.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let desk: PrivateTmux;
let look: RealLook;

beforeEach(() => {
  tmux = new PrivateTmux('watched');
  desk = new PrivateTmux('desk');
  look = realLook([tmux], { idleAfterMs: 1 });
});
afterEach(() => {
  desk.stop();
  tmux.stop();
});

const codes = (items: readonly { readonly code: string }[]) => items.map((item) => item.code);

/** Attaches a real terminal, a pane of another server, as a person would. */
async function attach(target: string): Promise<void> {
  await desk.session('person', 'env', '-u', 'TMUX', 'tmux', '-S', tmux.socketPath, 'attach', '-t', target);
}

function untilAttached(name: string): Promise<SessionEntry> {
  return until(
    `${name} is attached`,
    () => look.session(name),
    (entry) => entry.attached > 0,
  );
}

describe('people', () => {
  test('S19: a person attached makes a session active and protected', async () => {
    await tmux.session('seen');
    await attach('=seen');
    const entry = await untilAttached('seen');
    expect(entry.lifecycle).toBe('active');
    expect(entry.reasons[0]?.code).toBe('person-attached');
    expect(codes(entry.protections)).toEqual(expect.arrayContaining(['attached', 'recent-input']));
    expect(codes(entry.blockers)).toContain('nobody-there');
  });

  test('S19: a person attached to a grouped session is in all sessions of the group', async () => {
    await tmux.session('worker');
    await tmux.tmux('new-session', '-d', '-t', '=worker', '-s', 'window-on-it');
    await attach('=window-on-it');
    const entry = await untilAttached('worker');
    expect(entry.lifecycle).toBe('active');
    expect(entry.protections.find((one) => one.code === 'attached')?.text).toContain('another session');
  });

  test('S19: a control-mode client counts as a person', async () => {
    await tmux.session('controlled');
    const client = spawn('tmux', ['-S', tmux.socketPath, '-C', 'attach', '-t', '=controlled'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const entry = await untilAttached('controlled');
    expect(codes(entry.protections)).toContain('attached');
    client.stdin.end();
    await until(
      'it has left',
      () => look.session('controlled'),
      (one) => one.attached === 0,
    );
  });

  test('S19: copy mode blocks closing', async () => {
    const { paneId } = await tmux.session('reading');
    await tmux.tmux('copy-mode', '-t', paneId);
    const entry = await until(
      'copy mode is seen',
      () => look.session('reading'),
      (one) => one.lifecycle === 'stale',
    );
    expect(entry.blockers.find((one) => one.code === 'nobody-there')?.text).toContain('copy mode');
  });

  test('S51: windows shared with another session block closing, grouped or linked', async () => {
    await tmux.session('one');
    await tmux.session('alone');
    await tmux.tmux('new-session', '-d', '-t', '=one', '-s', 'two');
    for (const name of ['one', 'two'])
      expect(codes((await look.session(name)).blockers)).toContain('windows-own');
    expect(codes((await look.session('alone')).blockers)).not.toContain('windows-own');
    await tmux.session('guest');
    await tmux.tmux('link-window', '-s', '=alone:0', '-t', '=guest:5');
    expect(codes((await look.session('alone')).blockers)).toContain('windows-own');
  });

  test('S7: rollcall knows the session it runs in by its pane, and protects it', async () => {
    const { paneId } = await tmux.session('home');
    await tmux.session('elsewhere');
    const inside = realLook([tmux], {}, { ownPane: { serverPid: tmux.serverPid, paneId } });
    expect(codes((await inside.session('home')).protections)).toContain('own-session');
    expect(codes((await inside.session('elsewhere')).protections)).not.toContain('own-session');
  });

  test('a session whose name matches a protected pattern is named as managed by people', async () => {
    await tmux.session('gt-rig-crew-joe');
    const guarded = realLook(
      [tmux],
      {},
      { protectedBy: (name) => (name.includes('-crew-') ? '*-crew-*' : undefined) },
    );
    expect(codes((await guarded.session('gt-rig-crew-joe')).protections)).toContain('human-managed');
  });
});
