import { describe, expect, it } from 'vitest';
import { formatValue, parseValue } from '../../src/config/setting.ts';
import { defaultValues, toSettings } from '../../src/config/settings.ts';
import { SETTINGS } from '../../src/config/settings-table.ts';

describe('the table of settings', () => {
  it('is frozen, with what is said of each, and so are the values', () => {
    expect(Object.isFrozen(SETTINGS)).toBe(true);
    expect(Object.values(SETTINGS).every(({ about }) => Object.isFrozen(about))).toBe(true);
    const values = defaultValues();
    expect([Object.isFrozen(values), Object.isFrozen(values.protect)]).toEqual([true, true]);
  });

  it.each(Object.entries(SETTINGS).map(([key, { about }]) => [key, about] as const))(
    'gives %s a default and bounds as a file would have them, a meaning and a reason',
    (key, about) => {
      const value = defaultValues()[key as keyof typeof SETTINGS];
      expect(parseValue(about, about.default)).toEqual({ isValid: true, value });
      // What files and rollcall say is read the same.
      expect(parseValue(about, value)).toEqual({ isValid: true, value });
      expect(formatValue(about, value)).toEqual(about.default);
      for (const bound of about.kind === 'patterns' ? [] : [about.bounds.min, about.bounds.max]) {
        const read = parseValue(about, bound);
        expect(read.isValid && formatValue(about, read.value)).toBe(bound);
      }
      for (const sentence of [about.means, about.why]) expect(sentence).toMatch(/^[A-Zg].{20,}\.$/);
    },
  );

  it('fills the policy with the documented defaults', () => {
    const defaultRole = {
      ...{ onComplete: 'retain', retainForMs: 10 * 60_000, idleAfterMs: null },
      ...{ requires: [], commands: [], commandTimeoutMs: 5 * 60_000 },
    };
    const roles = { roles: new Map(), defaultRole };
    expect(toSettings(defaultValues())).toEqual({
      ...roles,
      policy: {
        ...roles,
        freshMs: 15_000,
        idleAfterMs: 45 * 60_000,
        exitedAfterMs: 60_000,
        confirmMs: 10_000,
        hungAfterMs: 6 * 3_600_000,
        startingMs: 5000,
        recentInputMs: 120_000,
        workingCpuPercent: 25,
        workingIoBytesPerSecond: 262_144,
      },
      protect: [],
      tmux: { timeoutMs: 2000 },
      git: { timeoutMs: 3000, parallel: 4 },
      watch: { everyMs: 2000 },
      pressure: {
        stallSomePercent: { moderate: 10, critical: 40 },
        stallFullPercent: { moderate: 3, critical: 15 },
        availablePercent: { moderate: 15, critical: 6 },
        availableBytes: { moderate: 4 * 1024 ** 3, critical: 1024 ** 3 },
        riseAfterMs: { moderate: 30_000, critical: 10_000 },
        fallAfterMs: 90_000,
        releasePercent: 70,
        transitionMs: 180_000,
        rememberMs: 120_000,
        freshMs: 15_000,
      },
      reaper: {
        longIdleFrom: 'critical',
        idleAfterMs: 900_000,
        confirmMs: 120_000,
        graceMs: 60_000,
        settleMs: 20_000,
        perHour: 6,
        freshMs: 15_000,
        prefer: 'hibernate',
      },
      wake: { isOnAttach: false },
      restore: { onBoot: 'ask' },
      archive: { keepConversationsBytes: 2 * 1024 ** 3 },
      history: { maxBytes: 64 * 1024 ** 2, keepMs: 14 * 86_400_000 },
      daemon: { isHttpOn: true, port: 7433, hasTmuxHooks: false, settle: 'on' },
      doctor: { orphanPatterns: [], staleHoldMs: 30 * 24 * 3_600_000 },
      notify: { rules: [], againMs: 600_000, perHour: 60 },
    });
  });
});
