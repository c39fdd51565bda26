import { expect, it } from 'vitest';
import { reportOf } from '../../../../src/core/doctor/checks/check.ts';
import { conversations } from '../../../../src/core/doctor/checks/machine-conversations.ts';
import { programs } from '../../../../src/core/doctor/checks/machine-programs.ts';
import { reaper } from '../../../../src/core/doctor/checks/machine-reaper.ts';
import type { MachineSightings } from '../../../../src/core/doctor/sightings.ts';
import { MINUTE, NOW } from '../../../support/evidence.ts';
import { doctorFacts, found } from './doctor-facts.ts';

const on = (machine: Partial<MachineSightings>) => doctorFacts({ machine });
const breaker = {
  ...{ at: NOW.at - 5 * MINUTE, code: 'close-failed', text: 'it did not end' },
  session: { key: 'k1', name: 'build' },
};

it('10: a tripped breaker is a warning while enforce is asked for, with the way to reset it', () => {
  const [finding] = found(reaper, on({ reaper: { mode: 'enforce', breaker, problem: null } }));
  expect(finding).toMatchObject({ class: 'breaker-tripped', severity: 'warning', session: 'k1' });
  expect(finding?.text).toBe(
    "the reaper’s breaker tripped 5 min ago at session 'build', and it closes nothing since: it did not end",
  );
  expect(finding?.advice.at(-1)).toBe('once that is understood, reset it: rollcall reap mode enforce');
});

it('10: in another mode it is only told; a clock that went back does no harm', () => {
  const later = { ...breaker, at: NOW.at + MINUTE, session: null };
  const [finding] = found(reaper, on({ reaper: { mode: 'shadow', breaker: later, problem: null } }));
  expect(finding).toMatchObject({ severity: 'info' });
  expect(finding?.text).toContain('breaker tripped under 1 s ago, and');
  expect(finding?.session).toBeUndefined();
});

it('10: a mode that cannot be read is no health', () => {
  const report = reportOf(reaper, on({ reaper: { mode: 'shadow', breaker: null, problem: 'it is torn' } }));
  expect(report).toMatchObject({ severity: 'warning', problem: expect.stringContaining('it is torn') });
  expect(found(reaper, doctorFacts())).toEqual([]);
});

it('10: a program that is missing is told with the PATH, and is what could not be looked at', () => {
  const report = reportOf(
    programs,
    on({
      programs: [
        { name: 'tmux', isFound: false, path: '/usr/bin:/bin' },
        { name: 'git', isFound: false, path: '/usr/bin:/bin' },
      ],
    }),
  );
  expect(report.findings.map((one) => [one.class, one.evidence])).toEqual([
    ['tmux-missing', ['PATH=/usr/bin:/bin']],
    ['git-missing', ['PATH=/usr/bin:/bin']],
  ]);
  expect(report.unseen).toHaveLength(2);
  expect(found(programs, doctorFacts())).toEqual([]);
});

it('a conversation that nobody has any more is told with its receipt', () => {
  const lost = { receipt: 'r1', agent: 'claude', removedAt: 0, path: '/home/c.jsonl' };
  const seen = { count: 1, bytes: 5, maxBytes: 7, lost: [lost] };
  expect(found(conversations, doctorFacts())).toEqual([]);
  expect(found(conversations, on({ conversations: seen }))).toMatchObject([
    {
      ...{ class: 'conversation-gone', severity: 'warning', evidence: ['1 copies take 5 of 7 bytes'] },
      text: 'the claude conversation of receipt r1 is gone: /home/c.jsonl was deleted, and its copy was removed on 1970-01-01',
    },
  ]);
  const many = found(conversations, on({ conversations: { ...seen, lost: Array(21).fill(lost) } }));
  expect([many.length, many[0]?.evidence.at(-1)]).toEqual([20, '21 conversations are gone in all']);
});
