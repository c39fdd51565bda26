import { HttpProblem } from './http/problem.ts';
import type { Reply } from './http/reply.ts';
import type { Limits } from './limits.ts';

/** Does one thing once for each key, also where it is asked for twice at the same time. */
export interface Idempotency {
  once(key: string, asked: string, work: () => Promise<Reply>): Promise<Reply>;
}

interface Kept {
  readonly asked: string;
  readonly atMs: number;
  readonly reply: Promise<Reply>;
  /** Null while it is under way. */
  bytes: number | null;
}

/** `asked` is compared: the same key for something else is a mistake. What is kept is bounded; the oldest goes first. */
export function createIdempotency(
  limits: Pick<Limits, 'idempotencyKeys' | 'idempotencyBytes' | 'idempotencyMs'>,
  elapsedMs: () => number,
): Idempotency {
  const kept = new Map<string, Kept>();
  let size = 0;

  const forget = (key: string) => {
    size -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  const tidy = () => {
    const now = elapsedMs();
    for (const [key, { atMs, bytes }] of kept) {
      if (bytes === null) continue;
      const isOver = now - atMs > limits.idempotencyMs;
      const isTooMuch = kept.size >= limits.idempotencyKeys || size > limits.idempotencyBytes;
      if (!isOver && !isTooMuch) return;
      forget(key);
    }
  };

  return {
    async once(key, asked, work) {
      tidy();
      const earlier = kept.get(key);
      if (earlier !== undefined) {
        if (earlier.asked !== asked) throw usedOtherwise();
        const reply = await earlier.reply;
        return { ...reply, headers: { ...reply.headers, 'Idempotency-Replayed': 'true' } };
      }
      const one: Kept = { asked, atMs: elapsedMs(), reply: work(), bytes: null };
      kept.set(key, one);
      try {
        const reply = await one.reply;
        // Nothing was done: whoever tries again may have better luck.
        if (reply.status === 503 || reply.status === 429) forget(key);
        else {
          one.bytes = reply.body.length + key.length + asked.length;
          size += one.bytes;
        }
        return reply;
      } catch (error) {
        forget(key);
        throw error;
      }
    },
  };
}

function usedOtherwise(): HttpProblem {
  return new HttpProblem(422, 'key-reused', 'this Idempotency-Key came with another request before', {
    hint: 'make a new key for each thing that is to be done',
  });
}
