import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { toGateModeDocument, toGateStatusDocument } from '../../src/contract/gate-documents.ts';
import { gateModeDocumentSchema, gateStatusDocumentSchema } from '../../src/contract/gate-schemas.ts';
import type { GateCheck } from '../../src/core/gate/check.ts';
import { type GateContract, NOTHING_USED } from '../../src/core/gate/contract.ts';

const HOSTILE = 'a\u001b]52;c;\u0007\u202e\nb';
const AT = 1_772_618_400_000;
const CHECKS: readonly GateCheck[] = [
  { kind: 'command', argv: ['npm', HOSTILE], cwd: HOSTILE, timeoutMs: 1000 },
  { kind: 'clean' },
  { kind: 'pushed' },
  { kind: 'file', path: HOSTILE },
  { kind: 'todo', path: null },
];
const contract: GateContract = {
  ...{ format: 1, id: 'aaaaaaaa', task: HOSTILE, startedAt: AT, expiresAt: AT + 1000, cwd: HOSTILE },
  ...{ project: HOSTILE, reinforce: 3, phase: 'open', ended: null },
  checks: CHECKS.map((check, index) => ({
    check,
    result: index === 1 ? null : { state: 'unmet', text: HOSTILE, at: AT, tree: null, mark: '' },
  })),
  owner: {
    ...{ session: { key: 'k', name: HOSTILE }, paneId: '%3', pane: { pid: 1, startTicks: 1 } },
    server: { socketPath: HOSTILE, pid: 2, startTicks: 2 },
    ...{ agent: { kind: 'claude', pid: 3, startTicks: 3 }, conversation: '', stampedAt: AT },
  },
  enforced: { ...NOTHING_USED, used: 2 },
  shadowed: { ...NOTHING_USED, used: 1 },
  stale: { at: AT, code: 'budget-spent', text: HOSTILE },
};
const view = { mode: 'shadow', switchedOff: { at: AT, reason: HOSTILE }, problems: [HOSTILE] } as const;

describe('the documents of the gate', () => {
  it('S54: hold no raw control character, whatever a contract holds', () => {
    const document = toGateStatusDocument([{ contract, mode: 'enforce' }], { ...view, at: AT });
    expect(v.parse(gateStatusDocumentSchema, document)).toEqual(document);
    expect(JSON.stringify(document)).not.toMatch(/[\u0000-\u001f\u202e]|\\u00/);
    expect(document.contracts[0]).toMatchObject({
      ...{ phase: 'open', used: 2, wouldHaveUsed: 1, mode: 'enforce' },
      owner: { conversation: null },
    });
    expect(document.contracts[0]?.checks.map(({ result }) => result?.state ?? null)).toEqual([
      ...['unmet', null, 'unmet', 'unmet', 'unmet'],
    ]);
  });

  it('tell a contract over when its time is, whoever has noticed', () => {
    const phaseAt = (at: number) =>
      toGateStatusDocument([{ contract, mode: 'off' }], { ...view, at }).contracts[0]?.phase;
    expect([phaseAt(AT + 999), phaseAt(AT + 1000)]).toEqual(['open', 'expired']);
  });

  it('tell the mode of a project apart from there being none', () => {
    const modes = { user: null, projects: { '/a': 'off' }, problem: null, switchedOff: null } as const;
    const here = toGateModeDocument({ ...modes, mode: 'off', root: '/a' });
    expect(v.parse(gateModeDocumentSchema, here)).toMatchObject({ project: { root: '/a', mode: 'off' } });
    expect(toGateModeDocument({ ...modes, mode: 'shadow', root: '/b' }).project).toEqual({
      root: '/b',
      mode: null,
    });
    expect(toGateModeDocument({ ...modes, mode: 'shadow', root: null }).project).toBeNull();
  });
});
