import type { Pressure } from '../../../src/core/pressure/judge-pressure.ts';
import type { Tier } from '../../../src/core/pressure/tier.ts';
import type { ReapEvent, ReapMode } from '../../../src/core/reaper/standing.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Round } from '../../../src/core/supervision/round.ts';
import type { Moment } from '../../../src/core/text/moment.ts';
import { classify } from '../../../src/core/verdict/classify.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import type { Policy } from '../../../src/core/verdict/policy.ts';
import { NOW, POLICY } from '../../support/evidence.ts';

/** So long after NOW, awake all the time. */
export function later(ms: number): Moment {
  return { at: NOW.at + ms, awakeMs: NOW.awakeMs + ms, suspendedMs: 0 };
}

/** The same evidence as a look at this moment would have found it, if nothing happened since NOW. */
export function seenAt(evidence: readonly Evidence[], now: Moment): Evidence[] {
  const elapsedMs = now.awakeMs - NOW.awakeMs;
  return evidence.map((piece) => {
    const seen = { ...piece, observedAt: now.at };
    if (seen.kind === 'people' && seen.awayMs !== undefined) {
      return { ...seen, awayMs: seen.awayMs + elapsedMs };
    }
    if (seen.kind !== 'history') return seen as Evidence;
    const { disturbedMs } = seen;
    return {
      ...seen,
      quietMs: seen.quietMs + elapsedMs,
      ...(disturbedMs !== undefined && { disturbedMs: disturbedMs + elapsedMs }),
    };
  });
}

/** A session on the roll, judged by its evidence. */
export function judged(
  name: string,
  evidence: readonly Evidence[],
  now: Moment = NOW,
  over: Partial<SessionEntry> & { policy?: Policy } = {},
): SessionEntry {
  const { policy = POLICY, ...rest } = over;
  const verdict = classify(evidence, now, policy);
  const { activity, waitingFor, lifecycle, since, retainedUntil, reasons, protections, agent } = verdict;
  return {
    ...{ activity, waitingFor, lifecycle, since, retainedUntil, reasons, protections, agent },
    ...{ checks: verdict.checks, blockers: verdict.blockers },
    ...{ key: `key-${name}`, name, sessionId: '$1', createdAt: 0, role: null, task: null, owner: null },
    server: { socketPath: '/tmp/tmux-0/default', label: 'default', pid: 1, startTicks: 1, version: '3.4' },
    ...{ attached: 0, memoryBytes: 300 * 1024 ** 2, panes: [], evidence, ...rest },
  };
}

export function pressure(tier: Tier = 'normal', over: Partial<Pressure> = {}): Pressure {
  const none = { signal: null, value: null, threshold: null, heldMs: null };
  const reason = { code: 'below-thresholds', text: 'all is well', ...none } as const;
  return { tier, since: NOW.at, isFirstLook: false, reason, next: null, signals: [], ...over };
}

export interface RoundParts {
  readonly sessions?: readonly SessionEntry[];
  readonly pressure?: Pressure;
  readonly mode?: ReapMode;
  readonly events?: readonly ReapEvent[];
}

export function round(now: Moment, parts: RoundParts = {}): Round {
  const { sessions = [], mode = 'shadow', events = [] } = parts;
  const judgedPressure = parts.pressure ?? pressure();
  return {
    ...{ number: 1, now, pressure: judgedPressure },
    roll: {
      ...{ host: { machineId: 'm', bootId: 'b', name: 'workshop' }, at: now.at, memory: null },
      ...{ servers: [], sessions, problems: [] },
    },
    reaper: {
      ...{ mode, wanted: mode, tier: judgedPressure.tier, breaker: null, pending: null, sessions: [] },
      budget: { perHour: 6, used: 0, freeAt: null, problem: null },
    },
    settle: { mode: 'on', due: [] },
    changes: events.map((event, number) => ({ number, at: now.at, kind: 'reaper', event })),
    ...{ wokenBy: ['relist'], missedHints: 0, cost: { wallMs: 1, cpuMs: 1 }, nextInMs: 1000 },
  };
}

export function reapEvent(over: Partial<ReapEvent> = {}): ReapEvent {
  return {
    ...{ kind: 'would-close', at: NOW.at, mode: 'shadow', tier: 'critical' },
    ...{ session: { key: 'key-build', name: 'build' }, relief: 'long-idle', code: 'long-idle' },
    ...{ text: 'its agent is idle', memoryBytes: 100, receipt: null, ...over },
  };
}
