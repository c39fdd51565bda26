import type { ShellSighting } from '../../src/core/sight/sighting.ts';

export type SeenShell = Extract<ShellSighting, { state: 'seen' }>;

/** What line editors were measured to make of a terminal (bash 5.2, zsh 5.9, fish 3.6). */
export const EDITING = {
  bash: ['-icanon', '-echo', '-icrnl', '-inlcr', 'iexten', 'lnext=<undef>', 'susp=^Z'],
  zsh: ['-icanon', '-echo', 'icrnl', 'inlcr', 'iexten', 'lnext=<undef>', 'susp=<undef>'],
  fish: ['-icanon', '-echo', '-icrnl', '-inlcr', '-iexten', 'lnext=^V', 'susp=<undef>'],
} as const;

/** A bash in its line editor, in a folder of its user. */
export function seenShell(over: Partial<SeenShell> = {}): SeenShell {
  return {
    state: 'seen',
    pid: 100,
    startTicks: 2,
    observedAt: 0,
    isInFront: true,
    isAsleep: true,
    waitsIn: 'select',
    settings: new Set<string>(EDITING.bash),
    user: 'ann',
    host: 'box.example.org',
    home: '/home/ann',
    cwd: '/home/ann/src/my.app',
    branch: 'main',
    givenPrompt: null,
    ...over,
  };
}
