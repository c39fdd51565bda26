import { expect, it } from 'vitest';
import { editorDoubt } from '../../src/core/prompt/doubt.ts';
import type { ShellSighting } from '../../src/core/sight/sighting.ts';
import { EDITING, type SeenShell, seenShell } from './seen-shell.ts';

const set = (...words: readonly string[]): Pick<SeenShell, 'settings'> => ({ settings: new Set(words) });

it.each<[string, ShellSighting]>([
  ['bash', seenShell()],
  ['zsh', seenShell({ ...set(...EDITING.zsh), waitsIn: 'read' })],
  ['fish', seenShell(set(...EDITING.fish))],
])('a %s that waits for a key in its line editor is at its prompt', (program, shell) => {
  expect(editorDoubt(program, shell)).toBeNull();
});

const CANONICAL = ['icanon', 'echo', 'icrnl', '-inlcr', 'iexten', 'lnext=^V', 'susp=^Z'];
const SINGLE_KEYS = ['-icanon', '-echo', 'icrnl', '-inlcr', 'iexten', 'lnext=^V', 'susp=^Z'];

it.each<[string, string, ShellSighting, string]>([
  ['dash, which shows nothing of it', 'sh', seenShell(), 'has no line editor'],
  ['a shell that cannot be seen', 'bash', { state: 'failed', text: 'no stty' }, 'terminal: no stty'],
  ['bash behind a command in front', 'bash', seenShell({ isInFront: false }), 'not have the terminal'],
  ['bash in a loop of its own', 'bash', seenShell({ isAsleep: false }), 'at work'],
  ['bash `read -p`', 'bash', seenShell({ ...set(...CANONICAL), waitsIn: 'read' }), 'line editor'],
  ['bash `read -t`', 'bash', seenShell(set(...CANONICAL)), 'line editor'],
  ['bash `read -rsn1`', 'bash', seenShell({ ...set(...SINGLE_KEYS), waitsIn: 'read' }), 'line editor'],
  ['bash `read -t 9 -rsn1`', 'bash', seenShell(set(...SINGLE_KEYS)), 'line editor'],
  ['bash in a key binding', 'bash', seenShell({ waitsIn: 'else' }), 'something else than a key'],
  ['zsh `read`', 'zsh', seenShell({ ...set(...CANONICAL), waitsIn: 'read' }), 'line editor'],
  ['zsh `read -sk1`', 'zsh', seenShell({ ...set(...SINGLE_KEYS), waitsIn: 'read' }), 'line editor'],
  ['fish that waits for a job', 'fish', seenShell({ ...set(...CANONICAL), waitsIn: 'else' }), 'line editor'],
  ['a terminal that nothing is known of', 'bash', seenShell(set()), 'line editor'],
])('%s is not', (_, program, shell, doubt) => {
  expect(editorDoubt(program, shell)).toContain(doubt);
});
