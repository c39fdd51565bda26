import { expect, it } from 'vitest';
import { reportOf } from '../../../../src/core/doctor/checks/check.ts';
import { CHECKS } from '../../../../src/core/doctor/checks/index.ts';
import type { Reading } from '../../../../src/core/pressure/reading.ts';
import { NOW } from '../../../support/evidence.ts';
import { doctorFacts, entry, process, table } from './doctor-facts.ts';

it('gives each check a name of its own, and says what it looks at', () => {
  const names = CHECKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, looksAt } of CHECKS) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(looksAt).not.toBe('');
  }
});

it('finds nothing on a machine on which everything is as it should be', () => {
  const stalls: Reading = {
    ...{ signal: 'stall-some', scope: 'host', holders: [], source: '/proc/pressure/memory' },
    ...{ observedAt: NOW.at, state: 'read', value: 0 },
  };
  const facts = doctorFacts({
    ...{ sessions: [entry()], table: table([process()]) },
    machine: { readings: [stalls] },
  });
  const reports = CHECKS.map((check) => reportOf(check, facts));
  expect(reports.filter(({ findings, problem }) => findings.length > 0 || problem !== null)).toEqual([]);
});
