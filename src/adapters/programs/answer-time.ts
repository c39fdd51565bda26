const TURNS = 5;
const TURN_MS = 10;

/**
 * Gives an answer its time, then says that it is late. Timers come before input: an answer that lay there while this process was
 * busy is read in the next turns of its loop, however long each of them takes. Returns what calls it off.
 */
export function answerTime(timeoutMs: number, late: () => void): () => void {
  let timer = setTimeout(() => turn(TURNS), timeoutMs);
  const turn = (left: number): void => {
    if (left === 0) late();
    else timer = setTimeout(() => turn(left - 1), TURN_MS);
  };
  return () => clearTimeout(timer);
}
