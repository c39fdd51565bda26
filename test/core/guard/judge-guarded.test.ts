import { describe, expect, it } from 'vitest';
import type { Guarded, Lives } from '../../../src/core/guard/guarded.ts';
import { judgeGuarded } from '../../../src/core/guard/judge-guarded.ts';
import type { ServerSighting } from '../../../src/core/sight/sighting.ts';
import type { PresentServer } from './guard-samples.ts';
import { ALIVE, DEAD, guarded, lives, pane, present, SERVER, session } from './guard-samples.ts';

const { socketPath } = SERVER;
const FAILED: ServerSighting = {
  state: 'failed',
  socketPath,
  observedAt: 0,
  failure: 'timeout',
  text: 'no answer',
};
const ABSENT: ServerSighting = { state: 'absent', socketPath, observedAt: 0 };
const TWO = guarded({
  panes: [
    { paneId: '%1', pid: 201 },
    { paneId: '%2', pid: 202 },
  ],
});
const judge = (
  sighting: ServerSighting,
  over: Lives = lives('alive'),
  who: Guarded = guarded(),
  settling = true,
) => judgeGuarded(who, sighting, over, settling);
const healthy = present([session([pane('%1', 201)])]);

describe('the server', () => {
  it('S32: a listing that failed is no death', () => {
    expect(judge(FAILED)).toEqual({ state: 'unknown', text: 'no answer' });
    expect(judge(FAILED, lives('unknown'))).toMatchObject({ state: 'unknown' });
  });

  it('is dead when the kernel says so, whatever the listing says', () => {
    for (const sighting of [FAILED, ABSENT, healthy]) {
      expect(judge(sighting, lives('dead', ['%1', DEAD]))).toMatchObject({
        state: 'died',
        cause: 'server-gone',
      });
    }
  });

  it('is not dead while its process runs, though its socket leads nowhere or elsewhere', () => {
    expect(judge(ABSENT)).toMatchObject({
      state: 'unknown',
      text: expect.stringContaining('does not lead to it'),
    });
    expect(judge(present([], 999))).toMatchObject({
      state: 'unknown',
      text: expect.stringContaining('999 took'),
    });
  });

  it('is dead by tmux’s exact word where the kernel cannot be asked', () => {
    expect(judge(ABSENT, lives('unknown'))).toMatchObject({ state: 'died', cause: 'server-gone' });
  });

  it('S3: the same ids on another server are others', () => {
    const other = present([session([pane('%1', 201)])], 999);
    expect(judge(other, lives('dead'))).toMatchObject({
      state: 'died',
      cause: 'server-replaced',
      why: expect.stringContaining("its session 'build' is another one"),
      fates: [{ state: 'closed' }],
    });
    const another = present([session([pane('%1', 201)], { name: 'other' })], 999);
    expect(judge(another, lives('unknown'))).toMatchObject({
      cause: 'server-replaced',
      why: expect.not.stringContaining('another one'),
    });
  });
});

describe('a session', () => {
  it('is alive with its panes, also when it is renamed or the kernel says nothing', () => {
    expect(judge(healthy, lives('alive', ['%1', ALIVE])).state).toBe('alive');
    expect(judge(present([session([pane('%1', 201)], { name: 'other' })])).state).toBe('alive');
  });

  it('S2: is gone where only its name is left, or its id with another birth', () => {
    const other = present([session([pane('%9', 900)], { sessionId: '$7' })]);
    expect(judge(other)).toMatchObject({ cause: 'session-replaced', why: expect.stringContaining('($7)') });
    const reborn = present([session([pane('%9', 900)], { createdAtSeconds: 2000, name: 'x' })]);
    expect(judge(reborn)).toMatchObject({ cause: 'session-gone' });
  });

  it('S45: says which processes outlived it', () => {
    expect(judge(present([]), lives('alive', ['%1', ALIVE]))).toMatchObject({
      why: expect.stringContaining('process 201 still runs'),
    });
    expect(judge(present([]), lives('alive', ['%1', ALIVE], ['%2', ALIVE]), TWO)).toMatchObject({
      why: expect.stringContaining('processes 201, 202 still run'),
    });
  });

  it('S4, S51: lives on in panes that were moved, or that another session shares', () => {
    const moved = present([session([pane('%1', 201)], { sessionId: '$2' })]);
    expect(judge(moved).state).toBe('alive');
  });

  it('dies with a pane that ended badly, and every such pane is named', () => {
    const both = present([
      session([
        pane('%1', 201, { isDead: true, exitStatus: 1 }),
        pane('%2', 202, { isDead: true, exitSignal: 'SIGHUP' }),
      ]),
    ]);
    expect(judge(both, lives('alive'), TWO)).toMatchObject({
      cause: 'pane-died',
      why: 'pane %1 died: exit status 1; pane %2 died: ended by SIGHUP',
    });
  });

  it('outlives one pane of several that is closed', () => {
    expect(judge(healthy, lives('alive'), TWO)).toMatchObject({
      state: 'alive',
      fates: [{ state: 'alive' }, { state: 'closed' }],
    });
  });

  it('is dead when nothing is left of what was guarded, though it holds other panes', () => {
    expect(judge(present([session([pane('%9', 900)])]))).toMatchObject({ cause: 'panes-gone' });
  });

  it('ended in order when the last pane exited 0', () => {
    const ended = present([session([pane('%1', 201, { isDead: true, exitStatus: 0 })])]);
    expect(judge(ended, lives('alive'), TWO)).toMatchObject({ state: 'ended' });
    const half = present([session([pane('%1', 201, { isDead: true, exitStatus: 0 }), pane('%2', 202)])]);
    expect(judge(half, lives('alive'), TWO).state).toBe('alive');
  });

  it('is not settled while tmux and the kernel disagree', () => {
    expect(judge(healthy, lives('alive', ['%1', DEAD])).state).toBe('unsettled');
    expect(judge(healthy, lives('alive', ['%1', DEAD]), guarded(), false)).toMatchObject({
      cause: 'pane-died',
    });
    const both = present([session([pane('%1', 201), pane('%2', 202)])]);
    expect(judge(both, lives('alive', ['%2', DEAD]), TWO).state).toBe('unsettled');
  });
});

describe('one pane', () => {
  const one = guarded({ scope: 'panes' });
  const of = (server: PresentServer, over: Lives = lives('alive')) => judge(server, over, one);
  const dead = (over: object) => present([session([pane('%1', 201, { isDead: true, ...over })])]);

  it('is judged by its own fate alone', () => {
    expect(of(healthy).state).toBe('alive');
    expect(of(dead({ exitStatus: 2 }))).toMatchObject({
      cause: 'pane-died',
      why: 'pane %1 died: exit status 2',
    });
    expect(of(dead({ exitStatus: 0 }))).toMatchObject({
      state: 'ended',
      why: 'pane %1 ended in order: exit status 0',
    });
    expect(of(dead({})).state).toBe('unsettled');
    expect(of(present([session([pane('%9', 900)])]))).toMatchObject({
      cause: 'pane-gone',
      why: 'pane %1 is gone',
    });
    expect(of(present([session([pane('%1', 900)])]))).toMatchObject({
      cause: 'pane-gone',
      why: 'another program was started in pane %1: process 201 is its program no more',
    });
  });
});

describe('several panes', () => {
  const panes = [
    { paneId: '%1', pid: 201 },
    { paneId: '%2', pid: 202 },
  ];
  const of = (server: PresentServer, scope: Guarded['scope'] = 'panes') =>
    judge(server, lives('alive'), guarded({ panes, scope }));
  const first = pane('%1', 201);
  const dead = (over: object) => pane('%2', 202, { isDead: true, ...over });

  it.each(['panes', 'every-pane'] as const)('have to live, each of them (%s)', (scope) => {
    expect(of(present([session([first, pane('%2', 202)])]), scope).state).toBe('alive');
    expect(of(present([session([first])]), scope)).toMatchObject({
      cause: 'pane-gone',
      why: 'pane %2 is gone',
      fates: [{ state: 'alive' }, { state: 'closed' }],
    });
    expect(of(present([session([first, pane('%2', 900)])]), scope)).toMatchObject({ cause: 'pane-gone' });
    expect(of(present([session([dead({ exitStatus: 3 })])]), scope)).toMatchObject({
      cause: 'pane-died',
      why: 'pane %1 is gone; pane %2 died: exit status 3',
    });
  });

  it('are not over while one of them lives or has not settled', () => {
    expect(of(present([session([first, dead({ exitStatus: 0 })])])).state).toBe('alive');
    expect(of(present([session([first, dead({})])])).state).toBe('unsettled');
    const both = present([
      session([pane('%1', 201, { isDead: true, exitStatus: 0 }), dead({ exitStatus: 0 })]),
    ]);
    expect(of(both)).toMatchObject({ state: 'ended', why: 'every pane ended in order: exit status 0' });
  });

  it('may live in another session; with a session that is gone they are told of together', () => {
    const elsewhere = present([session([first, pane('%2', 202)], { sessionId: '$9' })]);
    expect(of(elsewhere, 'every-pane').state).toBe('alive');
    const other = present([session([pane('%9', 900)], { sessionId: '$9', name: 'other' })]);
    expect(of(other, 'every-pane')).toMatchObject({ cause: 'session-gone' });
    expect(of(other, 'panes')).toMatchObject({ cause: 'pane-gone' });
    const half = present([session([first], { sessionId: '$9', name: 'other' })]);
    expect(of(half, 'every-pane')).toMatchObject({ cause: 'pane-gone', why: 'pane %2 is gone' });
    const added = session([pane('%9', 900)]);
    const beside = session([], { sessionId: '$9', name: 'other' });
    expect(of(present([beside, added]), 'every-pane')).toMatchObject({ cause: 'pane-gone' });
  });
});
