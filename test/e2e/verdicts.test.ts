import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionEntry } from '../../src/core/sight/roll.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { type RealLook, realLook } from '../support/real-look.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let look: RealLook;

beforeEach(() => {
  tmux = new PrivateTmux();
  look = realLook([tmux]);
});
afterEach(() => tmux.stop());

const verdict = ({ activity, lifecycle }: SessionEntry) => `${activity}/${lifecycle}`;
const codes = (items: readonly { readonly code: string }[]) => items.map((item) => item.code);

/** Waits until a session has this verdict, and gives it. */
function untilVerdict(name: string, wanted: string, from = look): Promise<SessionEntry> {
  return until(
    `${name} is ${wanted}`,
    () => from.session(name),
    (entry) => verdict(entry) === wanted,
  );
}

/** Waits until exactly these checks stand against closing a session at rest, and gives it. */
async function untilBlocked(name: string, blockers: readonly string[]): Promise<SessionEntry> {
  const entry = await until(
    `${name} is blocked by ${blockers}`,
    () => look.session(name),
    (one) => one.lifecycle === 'stale' && codes(one.blockers).join() === blockers.join(),
  );
  expect(verdict(entry)).toBe('exited/stale');
  return entry;
}

/** A program of this name in the test's folder that does nothing for a long time. */
function program(name: string): string {
  const path = join(tmux.folder, name);
  copyFileSync('/bin/sleep', path);
  return path;
}

/** A script of this name in the test's folder. */
function script(name: string, text: string): string {
  const path = join(tmux.folder, 'bin', name);
  mkdirSync(join(tmux.folder, 'bin'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}

const SHELL = "exec env PS1='$ ' HISTFILE= bash --norc --noprofile -i";

/** A shell that an exited agent has left behind. */
async function leftover(name: string): Promise<{ paneId: string }> {
  const agent = script('claude', `until [ -e "$0.seen" ]; do sleep 0.05; done; echo Done.`);
  const session = await tmux.session(name, 'sh', '-c', `${agent}; ${SHELL}`);
  await until(
    'the agent was seen',
    () => look.session(name),
    (entry) => entry.agent?.kind === 'claude',
  );
  writeFileSync(`${agent}.seen`, '');
  // Nobody looks in between: what runs on the way to the shell would pass for another use of it.
  await until(
    'its shell is left',
    () => tmux.tmux('display-message', '-p', '-t', session.paneId, '#{pane_current_command}'),
    (command) => command === 'bash',
  );
  return session;
}

describe('plain terminals', () => {
  test('a shell at its prompt is no agent and, being recent, active', async () => {
    await tmux.session('plain');
    const entry = await untilVerdict('plain', 'none/active');
    expect(entry.reasons[0]?.code).toBe('plain-shell');
    expect(codes(entry.protections)).toContain('not-managed');
  });

  test('a shell unused past its time is stale and never safe to close', async () => {
    await tmux.session('plain');
    const entry = await untilVerdict('plain', 'none/stale', realLook([tmux], { idleAfterMs: 1 }));
    expect(codes(entry.blockers)).toEqual(expect.arrayContaining(['at-rest', 'finished-or-resumable']));
  });

  test('an editor is a terminal in use, whatever its age', async () => {
    await tmux.session('editor', 'less', '/etc/passwd');
    const entry = await untilVerdict('editor', 'none/stale', realLook([tmux], { idleAfterMs: 1 }));
    expect(codes(entry.blockers)).toContain('nothing-running');
    expect(entry.reasons.map((reason) => reason.code)).toContain('interactive-program');
  });

  test('a full-screen program that is not known is unknown, never closable by ignorance', async () => {
    const mystery = script('mystery', "printf '\\033[?1049h'; sleep 1000");
    await tmux.session('tui', mystery);
    const entry = await untilVerdict('tui', 'unknown/unknown', realLook([tmux], { idleAfterMs: 1 }));
    expect(entry.reasons[0]?.code).toBe('unknown-program');
  });
});

describe('commands', () => {
  test('a build is working', async () => {
    await tmux.session('build', 'sh', '-c', 'while :; do sleep 0.1; done');
    const entry = await untilVerdict('build', 'working/active');
    expect(entry.reasons[0]?.text).toContain('has not returned');
  });

  test('a command typed into a shell is working until it returns', async () => {
    const { paneId } = await tmux.session('typed');
    await tmux.tmux('send-keys', '-t', paneId, 'sleep 1000', 'Enter');
    await untilVerdict('typed', 'working/active');
    await tmux.tmux('send-keys', '-t', paneId, 'C-c', '');
    await untilVerdict('typed', 'none/active');
  });

  test.each(['tail -n 5', 'tee /dev/null', 'less'])(
    'S20: a long pipeline that ends in %s is working',
    async (last) => {
      await tmux.session('pipe', 'sh', '-c', `sleep 1000 | ${last}`);
      await untilVerdict('pipe', 'working/active', realLook([tmux], { idleAfterMs: 1 }));
    },
  );

  test('S21: a background job of a shell is work, and one that left the tree is found by its mark', async () => {
    const { paneId } = await tmux.session('jobs');
    await tmux.tmux('send-keys', '-t', paneId, 'sleep 1000 &', 'Enter');
    await untilVerdict('jobs', 'working/active');
    await tmux.tmux('send-keys', '-t', paneId, 'kill %1; wait', 'Enter');
    await untilVerdict('jobs', 'none/active');
    await tmux.tmux('send-keys', '-t', paneId, 'setsid sleep 1000 & exec 2>/dev/null', 'Enter');
    const strays = ({ evidence }: SessionEntry) =>
      evidence.flatMap((piece) =>
        piece.kind === 'processes'
          ? piece.processes.filter((note) => note.program === 'sleep').map((note) => note.pid)
          : [],
      );
    const entry = await until(
      'the stray is seen',
      () => look.session('jobs', { inspect: (sessions) => sessions }),
      (one) =>
        strays(one).length > 0 &&
        (codes(one.blockers).includes('nothing-outside') || one.activity === 'working'),
    );
    const pids = strays(entry);
    expect(pids).toHaveLength(1);
    for (const pid of pids) process.kill(pid);
  });

  test('S18: work in another window makes the session working, whatever the active pane shows', async () => {
    await tmux.session('two');
    await tmux.tmux('new-window', '-d', '-t', '=two:', 'sleep 1000');
    const entry = await untilVerdict('two', 'working/active');
    expect(entry.panes.map((pane) => pane.activity).sort()).toEqual(['none', 'working']);
  });
});

describe('agents', () => {
  test('a live agent that has said nothing is unknown, never idle', async () => {
    await tmux.session('agent', program('claude'), '1000');
    const entry = await untilVerdict('agent', 'unknown/unknown', realLook([tmux], { idleAfterMs: 1 }));
    expect(entry.agent).toMatchObject({ kind: 'claude' });
    expect(entry.agent?.pid).toBe(entry.panes[0]?.pid);
  });

  test('S22: a wrapped agent is found below its wrapper', async () => {
    const agent = program('codex');
    await tmux.session('wrapped', 'bash', '-c', `${agent} 1000; exec bash`);
    // While it starts, its CPU time passes for work.
    const entry = await untilVerdict('wrapped', 'unknown/unknown');
    expect(entry.agent).toMatchObject({ kind: 'codex' });
  });

  test.each([
    ['demiclaude', '1000'],
    ['sleep', '1000'],
  ])('S8: %s in a folder named .claude is not Claude', async (name, argument) => {
    mkdirSync(join(tmux.folder, '.claude'));
    const path = join('.claude', name);
    program(path);
    await tmux.session('impostor', join(tmux.folder, path), argument);
    const entry = await untilVerdict('impostor', 'working/active');
    expect(entry.agent).toBeNull();
  });

  test('the bare shell that an exited agent left is safe to close once everything is proven', async () => {
    await leftover('done');
    const entry = await untilVerdict('done', 'exited/safe-to-close');
    expect(entry.agent).toEqual({ kind: 'claude', version: null, conversation: null, pid: null });
    expect(entry.blockers).toEqual([]);
    expect(entry.checks.every((check) => check.state === 'met')).toBe(true);
  });

  test('the same with half a command typed is not', async () => {
    const { paneId } = await leftover('typed');
    await untilVerdict('typed', 'exited/safe-to-close');
    await tmux.tmux('send-keys', '-t', paneId, 'git push --for');
    await untilBlocked('typed', ['nothing-unsent']);
  });

  test('the same with uncommitted work is not', async () => {
    execFileSync('git', ['init', '-q', tmux.folder]);
    await leftover('dirty');
    await untilBlocked('dirty', ['work-saved']);
  });

  test('S21: the same with a child that left the tree is not', async () => {
    // One that starts something ten times a second would be at work.
    const leaves = join(tmux.folder, 'leaves');
    const loop = `setsid sh -c 'while [ -d ${tmux.folder} ]; do sleep 1; done' &`;
    const agent = script('claude', `${loop}\nuntil [ -e ${leaves} ]; do sleep 0.1; done`);
    await tmux.session('leak', 'sh', '-c', `${agent}; ${SHELL}`);
    // What starts in a pane before any look has seen an agent there is a person's.
    await until(
      'its agent is seen',
      () => look.session('leak'),
      (one) => one.agent?.kind === 'claude' && one.agent.pid !== null,
    );
    writeFileSync(leaves, '');
    // The screen and git are not even asked.
    const entry = await untilBlocked('leak', ['nothing-outside', 'nothing-unsent', 'work-saved']);
    // The loop itself, and now and then what it starts.
    expect(entry.reasons[0]?.text).toMatch(/ (?:was|were) started here, detached, and still runs?$/);
  });

  test('a shell that was put to other use after its agent is a plain terminal again', async () => {
    const agent = program('claude');
    const { paneId } = await tmux.session('mine');
    await tmux.tmux('send-keys', '-t', paneId, `${agent} 1000`, 'Enter');
    await untilVerdict('mine', 'unknown/unknown');
    await tmux.tmux('send-keys', '-t', paneId, 'C-c', '');
    await until(
      'the agent is gone',
      () => look.session('mine'),
      (one) => one.activity === 'exited',
    );
    await tmux.tmux('send-keys', '-t', paneId, 'sleep 1000', 'Enter');
    await untilVerdict('mine', 'working/active');
    await tmux.tmux('send-keys', '-t', paneId, 'C-c', '');
    await untilVerdict('mine', 'none/active');
  });
});

describe('dead panes', () => {
  const dead = async (name: string, status: number) => {
    await tmux.session(
      name,
      'sh',
      '-c',
      `while [ ! -e ${tmux.folder}/go ]; do sleep 0.05; done; exit ${status}`,
    );
    await tmux.tmux('set-option', '-w', '-t', `=${name}:`, 'remain-on-exit', 'on');
    await look.roll();
    writeFileSync(join(tmux.folder, 'go'), '');
    await tmux.exitStatus(name);
  };

  test('S44: a pane that ended with status 0 is safe to close', async () => {
    await dead('good', 0);
    const entry = await untilVerdict('good', 'exited/safe-to-close');
    expect(entry.panes[0]).toMatchObject({ isDead: true, exitStatus: 0 });
  });

  test('S44: a dead pane that was never seen alive is judged by the folder it was started in', async () => {
    await dead('fresh', 0);
    const entry = await untilVerdict('fresh', 'exited/safe-to-close', realLook([tmux]));
    expect(entry.panes[0]?.cwd).toBe(tmux.folder);
  });

  test('S44: one that ended badly is for a person to look at', async () => {
    await dead('bad', 3);
    const entry = await untilVerdict('bad', 'exited/stale');
    expect(entry.reasons[0]?.text).toContain('status 3');
  });
});
