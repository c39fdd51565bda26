import type { ChildProcess } from 'node:child_process';

/** How long to listen on where something that the program left running holds its output open. */
const LAST_WORDS_MS = 200;

/** Call it when a program has ended: goes on once everything it wrote was read. Its end may be told before its last words. */
export function afterLastWords(child: ChildProcess, goOn: () => void): void {
  const late = () => {
    child.removeListener('close', closed);
    // Timers come before what was read meanwhile.
    setImmediate(goOn);
  };
  const closed = () => {
    clearTimeout(timer);
    goOn();
  };
  const timer = setTimeout(late, LAST_WORDS_MS);
  child.once('close', closed);
}
