import { judgePressure } from '../../../src/core/pressure/judge-pressure.ts';
import type { PressureMemory } from '../../../src/core/pressure/memory.ts';
import type { PressurePolicy } from '../../../src/core/pressure/policy.ts';
import type { Reading, Signal } from '../../../src/core/pressure/reading.ts';
import type { Moment } from '../../../src/core/text/moment.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const GIB = 1024 ** 3;

export const POLICY: PressurePolicy = {
  stallSomePercent: { moderate: 10, critical: 40 },
  stallFullPercent: { moderate: 3, critical: 15 },
  availablePercent: { moderate: 15, critical: 6 },
  availableBytes: { moderate: 4 * GIB, critical: GIB },
  riseAfterMs: { moderate: 30 * SECOND, critical: 10 * SECOND },
  fallAfterMs: 90 * SECOND,
  releasePercent: 70,
  transitionMs: 3 * MINUTE,
  rememberMs: 2 * MINUTE,
  freshMs: 15 * SECOND,
};

const BASE = { scope: 'host', holders: [], source: '/proc/x', observedAt: 0 } as const;

/** Of a machine of 10 GiB: moderate below 1.5, critical below 0.6. */
export function available(gibibytes: number, scope = 'host', totalBytes = 10 * GIB): Reading {
  return { ...BASE, scope, signal: 'available', state: 'read', value: gibibytes * GIB, totalBytes };
}

/** PSI with its averages over ten seconds, one minute and five. */
export function stall(kind: 'some' | 'full', ...values: readonly [number, number, number]): Reading {
  const averages = [10_000, 60_000, 300_000].map((overMs, index) => ({ overMs, value: values[index] ?? 0 }));
  return { ...BASE, signal: `stall-${kind}`, state: 'read', value: values[0], averages };
}

export function counted(value: number): Reading {
  return { ...BASE, scope: 'cgroup v2 /a', signal: 'oom', state: 'read', value };
}

export function systemLevel(value: number): Reading {
  return { ...BASE, signal: 'os-level', state: 'read', value };
}

export function swap(gibibytes: number): Reading {
  return { ...BASE, signal: 'swap', state: 'read', value: gibibytes * GIB, totalBytes: 8 * GIB };
}

export function silent(signal: Signal, state: 'absent' | 'failed' = 'failed', scope = 'host'): Reading {
  return { ...BASE, scope, signal, state, text: 'it may not be read' };
}

/** Looks one after another, as a daemon takes them; time passes only when told to. */
export class Watcher {
  memory: PressureMemory | null = null;
  now: Moment = { at: 1_800_000_000_000, awakeMs: 1_000_000, suspendedMs: 0 };
  bootId = 'boot';
  readonly policy: PressurePolicy;

  constructor(policy: Partial<PressurePolicy> = {}) {
    this.policy = { ...POLICY, ...policy };
  }

  pass(ms: number): void {
    this.now = { ...this.now, at: this.now.at + ms, awakeMs: this.now.awakeMs + ms };
  }

  look(...readings: readonly Reading[]) {
    const { pressure, memory } = judgePressure(readings, this.memory, this.policy, this);
    this.memory = memory;
    return pressure;
  }

  /** Looks now and then every `everyMs` until `forMs` have passed, and gives the last look. */
  watch(forMs: number, readings: readonly Reading[], everyMs = 5 * SECOND) {
    let last = this.look(...readings);
    for (let passed = 0; passed < forMs; passed += everyMs) {
      this.pass(everyMs);
      last = this.look(...readings);
    }
    return last;
  }
}
