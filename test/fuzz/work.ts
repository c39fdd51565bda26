import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { startCpuClock } from './cpu-clock.ts';
import { caseAt, enterRoom, judged } from './judge.ts';
import { hardKinds, superlinear } from './linear.ts';
import { TARGETS } from './registry.ts';
import { shrunk } from './shrink.ts';
import type { Target } from './target.ts';

/** What a worker is to do. */
export interface Job {
  readonly target: string;
  readonly seed: string;
  /** The inputs from this number on, until the time is over. */
  readonly from: number;
  readonly mode: 'mutate' | 'linear' | 'one';
  readonly forMs: number;
  /** Its number goes here before each input, so that one that never ends is known; then tries to make one smaller. */
  readonly at: SharedArrayBuffer;
  /** For rooms: a thread that is ended does not tidy up. */
  readonly folder: string;
}

/** What a worker tells. */
export type Told =
  | {
      readonly kind: 'failed';
      readonly index: number;
      readonly text: string;
      readonly input: Uint8Array;
      readonly shrunk: Uint8Array;
    }
  | { readonly kind: 'slow'; readonly index: number; readonly text: string }
  | { readonly kind: 'done'; readonly index: number };

/** An input that is no longer than this may not take so long. */
const SLOW_MS = 1500;

/** Does a job in a thread of its own. */
export async function work(port: MessagePort, job: Job): Promise<void> {
  const target = TARGETS.find(({ name }) => name === job.target);
  if (target === undefined) throw new Error(`there is no target ${job.target}`);
  const at = new Int32Array(job.at);
  const room = enterRoom(job.folder);
  try {
    const tell = (told: Told) => port.postMessage(told);
    if (job.mode === 'linear') await linear(target, job, at, room, tell);
    else await mutate(target, job, at, room, tell);
  } finally {
    room.leave();
  }
}

type Inside = ReturnType<typeof enterRoom>;

async function mutate(
  target: Target,
  job: Job,
  at: Int32Array,
  room: Inside,
  tell: (told: Told) => void,
): Promise<void> {
  const seeds = target.seeds();
  const until = performance.now() + job.forMs;
  let index = job.from;
  do {
    Atomics.store(at, 0, index);
    const one = caseAt(target, seeds, job.seed, index);
    const spentMs = startCpuClock();
    const text = await judged(target, one, room);
    const tookMs = spentMs();
    if (text !== null) {
      const isSame = async (input: Buffer) => {
        Atomics.add(at, 1, 1);
        return (await judged(target, { input }, room)) !== null;
      };
      const small = one.from === undefined ? await shrunk(one.input, isSame) : one.input;
      return tell({ kind: 'failed', index, text, input: one.input, shrunk: small });
    }
    if (tookMs > SLOW_MS && (await isSlow(target, one.input, room))) {
      return tell({
        kind: 'slow',
        index,
        text: `takes ${Math.round(tookMs)} ms for ${one.input.length} bytes`,
      });
    }
    index += 1;
  } while (job.mode === 'mutate' && performance.now() < until);
  tell({ kind: 'done', index });
}

// The machine may have been busy with something else.
async function isSlow(target: Target, input: Buffer, room: Inside): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const spentMs = startCpuClock();
    await judged(target, { input }, room);
    if (spentMs() < SLOW_MS) return false;
  }
  return true;
}

async function linear(
  target: Target,
  job: Job,
  at: Int32Array,
  room: Inside,
  tell: (told: Told) => void,
): Promise<void> {
  const kinds = hardKinds(target, job.seed);
  const own = Object.keys(target.hard ?? {}).length;
  const until = performance.now() + job.forMs;
  let index = job.from;
  for (; index < kinds.length && (index < own || performance.now() < until); index += 1) {
    Atomics.store(at, 0, index);
    const kind = kinds[index];
    let text: string | null;
    try {
      text = kind === undefined ? null : await superlinear(target, kind, room);
    } catch (error) {
      text = `throws ${String(error)}`;
    }
    if (text !== null) return tell({ kind: 'slow', index, text: `${kind?.name}: ${text}` });
  }
  tell({ kind: 'done', index });
}

const given = workerData as { readonly rollcallFuzz?: Job } | null;
if (parentPort !== null && given?.rollcallFuzz !== undefined) await work(parentPort, given.rollcallFuzz);
