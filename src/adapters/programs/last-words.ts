import type { ChildProcess } from 'node:child_process';

/** How long it is listened to a program that has ended while what it left running still holds its output open. */
const LAST_WORDS_MS = 200;

/**
 * Goes on when everything was read that a program wrote before it ended; to be called when it has. Its end may be told before its
 * last words, however long ago it wrote them.
 */
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
