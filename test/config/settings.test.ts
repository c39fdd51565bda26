import { describe, expect, it } from 'vitest';
import { parseValue } from '../../src/config/parse-value.ts';
import { defaultValues, toSettings } from '../../src/config/settings.ts';
import { SETTINGS } from '../../src/config/settings-table.ts';

describe('the table of settings', () => {
  it('is frozen, list and entries', () => {
    expect(Object.isFrozen(SETTINGS)).toBe(true);
    expect(SETTINGS.every((setting) => Object.isFrozen(setting) && Object.isFrozen(setting.default))).toBe(
      true,
    );
  });

  it('names every key once', () => {
    const keys = SETTINGS.map((setting) => setting.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(SETTINGS.map((setting) => [setting.key, setting] as const))(
    'gives %s a default within its bounds, a meaning and a reason',
    (_, setting) => {
      expect(parseValue(setting, setting.default)).toEqual({ isValid: true, value: setting.default });
      for (const sentence of [setting.means, setting.why]) expect(sentence).toMatch(/^[A-Zg].{20,}\.$/);
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
