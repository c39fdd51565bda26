import { describe, expect, it } from 'vitest';
import { frontShell, knownPrompt, promptDoubt } from '../../../src/core/prompt/doubt.ts';
import type { ProcessNote } from '../../../src/core/verdict/evidence.ts';
import { agent, note, shell } from '../../support/evidence.ts';
import { seenShell } from '../seen-shell.ts';

describe('a line that looks like an empty prompt', () => {
  const claim = { prompt: '$ ', shell: shell(), seen: seenShell(), known: undefined };

  it('is proven by the shell’s own facts, or by an earlier look', () => {
    expect(promptDoubt({ ...claim, seen: seenShell({ givenPrompt: '$ ' }) })).toBeNull();
    expect(promptDoubt({ ...claim, prompt: '12 ❯ ', known: knownPrompt('7 ❯ ', shell()) })).toBeNull();
  });

  it('is unfamiliar where only its shell waits for a key', () => {
    expect(promptDoubt(claim)).toBe('unfamiliar');
    for (const other of [{ pid: 7 }, { startTicks: 7 }, { program: 'zsh' }]) {
      expect(promptDoubt({ ...claim, known: knownPrompt('$ ', shell(other)) })).toBe('unfamiliar');
    }
    expect(promptDoubt({ ...claim, known: knownPrompt('% ', shell()) })).toBe('unfamiliar');
  });

  it('is no place where its shell is known to have another prompt', () => {
    const place = { ...claim, prompt: '~/src/my.app > ' };
    expect(promptDoubt(place)).toBeNull();
    expect(promptDoubt({ ...place, known: knownPrompt('➜ ', shell()) })).toBe('unfamiliar');
    expect(promptDoubt({ ...place, known: knownPrompt('➜ ', shell({ pid: 7 })) })).toBeNull();
    const seen = seenShell({ givenPrompt: '\\w > ' });
    expect(promptDoubt({ ...place, seen, known: knownPrompt('➜ ', shell()) })).toBeNull();
  });

  it('is nothing where its shell does something else, whatever was known', () => {
    const seen = seenShell({ isAsleep: false, givenPrompt: '$ ' });
    const doubt = promptDoubt({ ...claim, seen, known: knownPrompt('$ ', shell()) });
    expect(doubt).toEqual({ text: 'bash (pid 100) is at work' });
  });
});

describe('the shell in front', () => {
  const inner = shell({ pid: 101, parentPid: 100, relation: 'foreground' });

  it.each<[string, ProcessNote[], ProcessNote | null]>([
    ['is the pane’s own', [shell()], shell()],
    ['is the innermost', [shell(), inner], inner],
    ['is there beside what left the tree', [shell(), note({ relation: 'outside' })], shell()],
    ['is none under an agent', [shell(), agent()], null],
    ['is none beside a job', [shell(), inner, note({ relation: 'background' })], null],
    ['is none behind a stopped job', [shell(), note({ relation: 'stopped' })], null],
    ['is none in the background', [shell(), { ...inner, relation: 'background' }], null],
    ['is none where a command has the pane', [note({ relation: 'root' })], null],
    ['is none where nothing is seen', [], null],
  ])('%s', (_, processes, found) => {
    expect(frontShell(processes)).toEqual(found);
  });
});
