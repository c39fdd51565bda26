/** Waits for work on files, for a time; work that is late is not begun again before it has ended. */
export type Patience = <T>(
  about: string,
  timeMs: number,
  work: () => Promise<T>,
  late: (text: string) => T,
) => Promise<T>;

/** What is said of a folder that gave no answer in time. */
export function noAnswerText(timeMs: number): string {
  return `the folder gave no answer within ${timeMs / 1000} s: is its mount alive?`;
}

/** Makes the waiter. A file call on a dead mount keeps a thread for ever: so at most one for each folder. */
export function createPatience(): Patience {
  const late = new Set<string>();
  return async (about, timeMs, work, onLate) => {
    const text = noAnswerText(timeMs);
    if (late.has(about)) return onLate(text);
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const task = work().finally(() => {
      isOver = true;
      late.delete(about);
    });
    const deadline = new Promise<ReturnType<typeof onLate>>((resolve) => {
      timer = setTimeout(() => {
        // Timers come before input: an answer that lay there while this process was busy still counts.
        setImmediate(() => {
          if (!isOver) late.add(about);
          resolve(onLate(text));
        });
      }, timeMs);
    });
    try {
      return await Promise.race([task, deadline]);
    } finally {
      clearTimeout(timer);
      // Nobody waits for it any more, and it may still fail.
      task.catch(() => {});
    }
  };
}
