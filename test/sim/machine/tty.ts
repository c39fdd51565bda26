import type { Machine } from './machine.ts';
import type { SimTty } from './process.ts';

/** As a terminal is when nobody has set it otherwise. */
export const COOKED: ReadonlySet<string> = new Set([
  'icanon',
  'echo',
  'icrnl',
  'iexten',
  'lnext=^V',
  '-inlcr',
]);

/** A terminal that nobody has yet. Its number is never another's in this world. */
export function createTty(machine: Machine): SimTty {
  machine.ttys += 1;
  const number = machine.ttys;
  const readAt = machine.clock.seconds;
  return { path: `/dev/pts/${number}`, number: (136 << 8) | number, front: 0, settings: COOKED, readAt };
}

/** Words as tmux shows a start command. */
export function shownWords(argv: readonly string[]): string {
  return argv
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/["\\$]/g, '\\$&')}"`))
    .join(' ');
}
