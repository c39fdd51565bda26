import { spawnSync } from 'node:child_process';

/** A shell that the script must run under: the words before its path, none for its own first line. */
export interface Shell {
  readonly name: string;
  readonly words: readonly string[];
}

/** Those that this machine has. */
export const SHELLS: readonly Shell[] = [
  { name: '#!/bin/sh', words: [] },
  { name: 'dash', words: ['dash'] },
  { name: 'bash', words: ['bash'] },
  { name: 'bash --posix', words: ['bash', '--posix'] },
  { name: 'busybox sh', words: ['busybox', 'sh'] },
].filter(
  ({ words }) => words.length === 0 || spawnSync(words[0] ?? '', [...words.slice(1), '-c', ':']).status === 0,
);
