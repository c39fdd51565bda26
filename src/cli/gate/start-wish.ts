import { resolve } from 'node:path';
import type { GateCheck, Reinforce } from '../../core/gate/check.ts';
import { parseCheck } from '../../core/gate/parse-check.ts';
import { Failure } from '../../operations/failure.ts';
import { readDuration } from '../wait/wait-duration.ts';

const MINUTE = 60_000;
const TTL = { min: MINUTE, max: 30 * 24 * 60 * MINUTE };
const TIMEOUT = { min: 1000, max: 60 * MINUTE };
const LONGEST_TASK = 500;
const MOST_CHECKS = 20;

export const STANDARD = { ttl: '8h', timeout: '5m', reinforce: '3' } as const;

/** What is asked of an agent. */
export interface StartWish {
  readonly task: string | null;
  readonly checks: readonly GateCheck[];
  readonly reinforce: Reinforce;
  readonly ttlMs: number;
  /** Null: where the agent works. */
  readonly cwd: string | null;
  readonly isReplacing: boolean;
}

interface StartFlags {
  readonly task: string | undefined;
  readonly until: readonly string[];
  readonly reinforce: '3' | '5' | '10' | undefined;
  readonly ttl: string | undefined;
  readonly timeout: string | undefined;
  readonly cwd: string | undefined;
  readonly replace: boolean;
}

/** Reads the wish and holds it to its bounds. */
export function startWish(flags: StartFlags, cwd: string): StartWish {
  const { task = null } = flags;
  if (task !== null && task.length > LONGEST_TASK)
    throw new Failure('usage', '--task is too long', { hint: `write at most ${LONGEST_TASK} characters` });
  const timeoutMs = readDuration('timeout', flags.timeout ?? STANDARD.timeout, TIMEOUT);
  return {
    task,
    checks: checksIn(flags.until, timeoutMs),
    reinforce: Number(flags.reinforce ?? STANDARD.reinforce) as Reinforce,
    ttlMs: readDuration('ttl', flags.ttl ?? STANDARD.ttl, TTL),
    cwd: flags.cwd === undefined ? null : resolve(cwd, flags.cwd),
    isReplacing: flags.replace,
  };
}

function checksIn(written: readonly string[], timeoutMs: number): GateCheck[] {
  if (written.length > MOST_CHECKS)
    throw new Failure('usage', `${written.length} checks are too many`, {
      hint: `give at most ${MOST_CHECKS}`,
    });
  return written.map((text) => {
    const parsed = parseCheck(text, { timeoutMs });
    if (parsed.state === 'check') return parsed.check;
    throw new Failure('usage', `--until=${text}: ${parsed.text}`, { hint: parsed.hint });
  });
}
