import { expect, it } from 'vitest';
import { rolePolicy } from '../../../src/core/verdict/policy.ts';
import { POLICY } from '../../support/evidence.ts';

it('a role has the policy that is set for it, and every other session the default one', () => {
  const worker = { ...POLICY.defaultRole, retainForMs: 1 };
  const policies = { roles: new Map([['worker', worker]]), defaultRole: POLICY.defaultRole };
  expect(rolePolicy(policies, 'worker')).toBe(worker);
  for (const other of ['Worker', 'work', '', null, undefined]) {
    expect(rolePolicy(policies, other)).toBe(POLICY.defaultRole);
  }
});
