import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHostSensor } from '../../src/adapters/host/host-sensor.ts';
import { createProcessSensor } from '../../src/adapters/proc/process-sensor.ts';
import type { Moment } from '../../src/core/text/moment.ts';
import type { HostSensor } from '../../src/ports/sensor.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { realLook } from '../support/real-look.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
beforeEach(() => {
  tmux = new PrivateTmux();
});
afterEach(() => tmux.stop());

const HOUR = 3_600_000;
const codes = (items: readonly { readonly code: string }[]) => items.map((item) => item.code);

/** The real host with clocks that a test can turn. */
function turnable(): HostSensor & { turn: (change: Partial<Moment>) => void } {
  const real = createHostSensor();
  let turned: Moment = { at: 0, awakeMs: 0, suspendedMs: 0 };
  return {
    identity: real.identity,
    memory: real.memory,
    turn: (change) => {
      turned = { ...turned, ...change };
    },
    now: () => {
      const { at, awakeMs, suspendedMs } = real.now();
      return {
        at: at + turned.at,
        awakeMs: awakeMs + turned.awakeMs,
        suspendedMs: suspendedMs + turned.suspendedMs,
      };
    },
  };
}

describe('clocks', () => {
  test('S26: eight hours of suspend are not idle time', async () => {
    await tmux.session('laptop');
    const host = turnable();
    const look = realLook([tmux], { freshMs: 20 * HOUR }, { host });
    expect((await look.session('laptop')).lifecycle).toBe('active');
    host.turn({ at: 8 * HOUR, suspendedMs: 8 * HOUR });
    expect((await look.session('laptop')).lifecycle).toBe('active');
    host.turn({ at: 16 * HOUR, awakeMs: 8 * HOUR });
    expect((await look.session('laptop')).lifecycle).toBe('stale');
  });

  test('S26: a clock stepped forward between two looks is not idle time', async () => {
    await tmux.session('stepped');
    const host = turnable();
    const look = realLook([tmux], { freshMs: 20 * HOUR }, { host });
    await look.session('stepped');
    host.turn({ at: 8 * HOUR });
    const entry = await look.session('stepped');
    expect(entry.lifecycle).toBe('active');
    expect(entry.evidence.find((piece) => piece.kind === 'clock')).toMatchObject({
      steppedMs: expect.any(Number),
    });
  });
});

describe('between two looks', () => {
  test('S24: work that began and ended unseen and left the screen as it was starts the rest anew', async () => {
    const go = join(tmux.folder, 'go');
    const done = join(tmux.folder, 'done');
    const burst = 'i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done';
    await tmux.session(
      'quiet',
      'sh',
      '-c',
      `while [ ! -e ${go} ]; do sleep 0.05; done; sh -c '${burst}'; touch ${done}; while :; do sleep 0.05; done`,
    );
    const look = realLook([tmux]);
    const history = async () => {
      const entry = await look.session('quiet');
      return entry.evidence.find((piece) => piece.kind === 'history');
    };
    const before = await history();
    expect(before).toMatchObject({ observations: 1 });
    expect(before).not.toHaveProperty('disturbedMs');
    writeFileSync(go, '');
    await until('the burst is over', () => existsSync(done));
    expect(await history()).toMatchObject({ observations: 2, disturbedMs: 0, quietMs: 0 });
  });

  test('S25: output in a detached session moves its time, and rest is measured from it', async () => {
    const { paneId } = await tmux.session('detached');
    const look = realLook([tmux]);
    const outputAt = async () => {
      const entry = await look.session('detached');
      const pane = entry.evidence.find((piece) => piece.kind === 'pane');
      return pane?.kind === 'pane' ? (pane.lastOutputAt ?? 0) : 0;
    };
    const before = await outputAt();
    await until(
      'the second has passed',
      () => Date.now(),
      (at) => at > before + 2000,
    );
    await tmux.tmux('send-keys', '-t', paneId, 'echo more', 'Enter');
    await until('the output is seen', outputAt, (at) => at > before);
  });

  test('S4: a renamed session and a moved pane keep their identity and their history', async () => {
    const { paneId } = await tmux.session('old-name');
    await tmux.session('host');
    const look = realLook([tmux]);
    const before = await look.session('old-name');
    await tmux.tmux('rename-session', '-t', '=old-name', 'new-name');
    const after = await look.session('new-name');
    expect(after.key).toBe(before.key);
    expect(after.evidence.find((piece) => piece.kind === 'history')).toMatchObject({ observations: 2 });
    await tmux.tmux('join-pane', '-d', '-s', paneId, '-t', '=host:');
    const host = await look.session('host');
    expect(host.panes.map((pane) => pane.paneId)).toContain(paneId);
  });
});

describe('sight', () => {
  test('S34: where processes are hidden everything alive is unknown, and the roll says why', async () => {
    await tmux.session('hidden');
    const processes = createProcessSensor();
    const blind = realLook(
      [tmux],
      { idleAfterMs: 1 },
      {
        processes: {
          ...processes,
          sense: () => ({ ...processes.sense(), isComplete: false, problem: 'hidepid is on' }),
        },
      },
    );
    const roll = await blind.roll();
    expect(roll.sessions[0]).toMatchObject({ activity: 'unknown', lifecycle: 'unknown' });
    expect(codes(roll.problems)).toContain('processes-hidden');
  });

  test('S5: the same name on two sockets is two sessions, each with its own verdict', async () => {
    const other = new PrivateTmux('other');
    try {
      await tmux.session('worker');
      await other.session('worker', 'sleep', '1000');
      const look = realLook([tmux, other]);
      const roll = await until(
        'the program of one of them is there',
        () => look.roll(),
        ({ sessions }) => sessions.some(({ activity }) => activity === 'working'),
      );
      expect(new Set(roll.sessions.map((session) => session.key)).size).toBe(2);
      const bySocket = Object.fromEntries(roll.sessions.map((one) => [one.server.socketPath, one.activity]));
      expect(bySocket).toEqual({ [tmux.socketPath]: 'none', [other.socketPath]: 'working' });
    } finally {
      other.stop();
    }
  });

  test('S54: escapes in a title and on a screen come out visible', async () => {
    const { paneId } = await tmux.session(
      'nasty',
      'sh',
      '-c',
      "printf 'a\\033]2;title\\001\\033\\\\ \\342\\200\\256evil'; sleep 1000",
    );
    const look = realLook([tmux]);
    const entry = await until(
      'the screen is drawn',
      () => look.session('nasty', { inspect: (sessions) => sessions }),
      (one) => one.evidence.some((piece) => piece.kind === 'screen' && piece.tail.length > 0),
    );
    expect(entry.panes[0]?.paneId).toBe(paneId);
    expect(JSON.stringify(entry)).not.toMatch(/[\u0000-\u001f\u202e]|\\u001b|\\u202e/);
  });
});
