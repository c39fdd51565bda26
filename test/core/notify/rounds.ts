import type { NotifiedRound } from '../../../src/core/notify/conditions.ts';
import type { NotifyPolicy, NotifyRule } from '../../../src/core/notify/rule.ts';
import { NOTIFY_EVENTS } from '../../../src/core/notify/rule.ts';
import type { Tier } from '../../../src/core/pressure/tier.ts';
import type { Breaker, ReapEvent } from '../../../src/core/reaper/standing.ts';
import type { SettleEvent } from '../../../src/core/settle/standing.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Round } from '../../../src/core/supervision/round.ts';
import { entry, NOW, roll } from '../../cli/render/samples.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** The awake clock of the first round. */
export const START = 100 * HOUR;

interface RoundParts {
  readonly sessions?: readonly SessionEntry[];
  readonly tier?: Tier;
  readonly breaker?: Breaker | null;
  readonly reaped?: readonly Partial<ReapEvent>[];
  readonly settled?: readonly Partial<SettleEvent>[];
  /** After the first round, awake. */
  readonly afterMs?: number;
  readonly bootId?: string;
}

/** A round with nothing in it but what a test is about. */
export function round(parts: RoundParts = {}): Round {
  const {
    sessions = [],
    tier = 'normal',
    breaker = null,
    reaped = [],
    settled = [],
    afterMs = 0,
    bootId = 'b',
  } = parts;
  const now = { at: NOW + afterMs, awakeMs: START + afterMs, suspendedMs: 0 };
  const seen: NotifiedRound = {
    now,
    roll: roll(sessions, { host: { machineId: 'm', bootId, name: 'workshop' } }),
    pressure: {
      ...{ tier, since: now.at - MINUTE, isFirstLook: false, next: null, signals: [] },
      reason: {
        ...{ code: 'threshold-held', text: `${tier} by what is available`, signal: 'available' },
        ...{ value: null, threshold: null, heldMs: null },
      },
    },
    reaper: {
      ...{ mode: 'shadow', wanted: 'enforce', tier, breaker, pending: null, sessions: [] },
      budget: { perHour: 6, used: 0, freeAt: null, problem: null },
    },
    changes: [
      ...reaped.map((event, index) => ({
        ...{ number: index + 1, at: now.at, kind: 'reaper' as const },
        event: {
          ...{
            kind: 'closed' as const,
            at: now.at,
            mode: 'enforce' as const,
            tier: 'critical' as const,
            session: null,
            relief: null,
          },
          ...{ code: 'closed', text: 'gave back 300 MiB', memoryBytes: 1, receipt: 'r1' },
          ...event,
        },
      })),
      ...settled.map((event, index) => ({
        ...{ number: reaped.length + index + 1, at: now.at, kind: 'settle' as const },
        event: {
          ...{ kind: 'failed' as const, at: now.at, session: { key: 'k', name: 'k' }, code: 'failed' },
          ...{ text: 'it did not leave', receipt: null, nextAt: null },
          ...event,
        },
      })),
    ],
  };
  const rest = { number: 1, wokenBy: ['relist'], missedHints: 0, nextInMs: 1000 } as const;
  return { ...seen, ...rest, settle: { mode: 'on', due: [] }, cost: { wallMs: 1, cpuMs: 1 } };
}

export function waiting(name: string, changes: Partial<SessionEntry> = {}): SessionEntry {
  const text = 'asks whether it may run npm publish';
  return entry(name, {
    ...{ activity: 'waiting', waitingFor: 'permission', role: 'worker', task: 'T-7' },
    reasons: [{ code: 'dialog', source: 'screen', observedAt: NOW, text }],
    ...changes,
  });
}

export function rule(changes: Partial<NotifyRule> = {}): NotifyRule {
  return {
    ...{ name: 'all', on: NOTIFY_EVENTS, only: [], sink: { kind: 'desktop' }, timeoutMs: 1000 },
    ...changes,
  };
}

export function policy(changes: Partial<NotifyPolicy> = {}): NotifyPolicy {
  return { rules: [rule()], againMs: 10 * MINUTE, perHour: 60, ...changes };
}
