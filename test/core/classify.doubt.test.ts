import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/core/verdict/evidence.ts';
import {
  deadPane,
  exitedAgent,
  git,
  idleAgent,
  massDeath,
  NOW,
  note,
  pane,
  processes,
  unavailable,
  without,
  withPieces,
  word,
} from '../support/evidence.ts';
import { blockersOf, stateOf, verdictOn } from './judged.ts';

describe('S31: "done" with work that is saved nowhere', () => {
  it.each<[string, string, Evidence]>([
    ['a dirty tree', 'stale', git({ dirtyFiles: 2 })],
    ['unpushed commits', 'stale', git({ unpushedCommits: 2 })],
    ['a stash', 'stale', git({ stashes: 1 })],
    ['squash-merged commits', 'safe-to-close', git({ unpushedCommits: 2, isMerged: true })],
  ])('S31: %s: %s', (_, lifecycle, evidence) => {
    expect(verdictOn(withPieces(exitedAgent(), evidence)).lifecycle).toBe(lifecycle);
    expect(verdictOn(withPieces(idleAgent(), evidence)).lifecycle).toBe(lifecycle);
    expect(verdictOn(withPieces(deadPane(), evidence)).lifecycle).toBe(lifecycle);
  });
});

describe('S32: a failed query and a mass death are not absence', () => {
  it('S32: a server that does not answer leaves its sessions unknown', () => {
    expect(stateOf([unavailable('tmux')])).toBe('unknown/unknown');
    expect(verdictOn([...exitedAgent(), unavailable('tmux')]).lifecycle).toBe('unknown');
  });

  it('S32: panes that died with nearly all others are in doubt, and believed once that has passed', () => {
    expect(verdictOn([...deadPane(), massDeath()]).lifecycle).toBe('unknown');
    expect(verdictOn(deadPane()).lifecycle).toBe('safe-to-close');
  });
});

describe('S33/S34: processes that cannot be seen', () => {
  it.each<[string, Evidence[]]>([
    ['S33: an empty answer about a live pane is no answer', withPieces(exitedAgent(), processes([]))],
    [
      'S33: nothing but strangers is no sight of the pane',
      withPieces(exitedAgent(), processes([note({ relation: 'outside' })])),
    ],
    ['S34: no answer at all', without(exitedAgent(), 'processes')],
    ['S34: a table that hides others', [...exitedAgent(), unavailable('process')]],
    ['S34: a table that hides others, and a dead pane', [...deadPane(), unavailable('process')]],
    ['S34: one pane out of sight', [...exitedAgent(), unavailable('process', { paneId: '%1' })]],
  ])('%s: unknown', (_, evidence) => {
    expect(stateOf(evidence)).toBe('unknown/unknown');
  });

  it('S34: a dead pane whose strays cannot be looked for is not safe to close', () => {
    expect(verdictOn(without(deadPane(), 'processes')).lifecycle).toBe('stale');
  });
});

describe('S44: the session is present, its program is gone', () => {
  const { exitStatus: _, ...lost } = pane({ isDead: true, exitStatus: 0 });

  it.each<[string, string, Evidence]>([
    ['ended with status 0', 'safe-to-close', pane({ isDead: true, exitStatus: 0 })],
    ['ended with status 1', 'stale', pane({ isDead: true, exitStatus: 1 })],
    ['ended by a signal', 'stale', pane({ isDead: true, exitStatus: 0, exitSignal: '9' })],
    ['ended with a status that tmux lost', 'stale', lost],
  ])('S44: a pane that %s is %s', (_, lifecycle, evidence) => {
    expect(stateOf(withPieces(deadPane(), evidence))).toBe(`exited/${lifecycle}`);
  });

  it('S44: a dead pane need not rest first, but its proof must be whole', () => {
    const justNow = pane({ isDead: true, exitStatus: 0, lastOutputAt: NOW.at });
    expect(stateOf(withPieces(deadPane(), justNow))).toBe('exited/safe-to-close');
    expect(stateOf(without(deadPane(), 'git'))).toBe('exited/stale');
    expect(stateOf(without(deadPane(), 'people'))).toBe('exited/stale');
  });

  it('S44: a word left behind by an agent that is gone is not believed', () => {
    expect(stateOf(withPieces(exitedAgent(), word()))).toBe('unknown/unknown');
    expect(stateOf(withPieces(deadPane(), word()))).toBe('unknown/unknown');
  });
});

describe('S51: grouped sessions and linked windows', () => {
  it.each([
    ['an idle agent', idleAgent()],
    ['an exited agent', exitedAgent()],
  ])('S51: %s whose windows live on elsewhere is not safe to close', (_, evidence) => {
    const shared = withPieces(evidence, pane({ isWindowShared: true }));
    expect(verdictOn(shared).lifecycle).toBe('stale');
    expect(blockersOf(shared)).toEqual(['windows-own']);
  });
});
