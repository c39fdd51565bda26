import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GateOwner } from '../../../src/core/gate/contract.ts';
import type { StopFacts, StopOrigin, StopReason } from '../../../src/core/gate/decision.ts';
import { type OwnerAgent, proveOwner } from '../../../src/core/gate/ownership.ts';
import { AGENT, INIT, OTHER, origin, owner, SERVER, SHELL, stop } from './gate-samples.ts';

const resumes = (argv: readonly string[]) =>
  argv[1] === '--resume' && !argv.includes('--fork') ? (argv[2] ?? null) : null;
const ALONE: OwnerAgent = { hasDaemon: false, resumes, isOwnHook: () => true };
const DAEMON: OwnerAgent = { hasDaemon: true, resumes, isOwnHook: () => true };
/** The hook of a daemon: somebody else's pane in its environment, and no agent above it. */
const byDaemon = (over: Partial<StopOrigin> = {}) =>
  origin({
    ...{ paneId: '%0', ancestors: [{ pid: 50, startTicks: 5 }, INIT], isByDaemon: true, agent: null },
    ...over,
  });
const restarted = (argv: readonly string[], over: Partial<StopOrigin> = {}) =>
  origin({
    ancestors: [OTHER, SHELL, SERVER, INIT],
    agent: { ...OTHER, argv },
    isOwnerAgentAlive: false,
    agentsInPane: [OTHER],
    ...over,
  });

it('the stamped agent, in its pane and conversation, is the owner', () => {
  const is = owner();
  expect(proveOwner(is, stop(), origin(), ALONE)).toEqual({
    state: 'proven',
    owner: is,
    isReconciled: false,
  });
  expect(proveOwner(is, stop(), origin(), DAEMON)).toMatchObject({ state: 'proven', isReconciled: false });
});

describe('not the owner is', () => {
  it.each<[string, StopReason, Partial<StopFacts>, StopOrigin, Partial<GateOwner>?]>([
    ['another kind of agent', 'another-agent', { agentKind: 'codex' }, origin()],
    ['S53: a subagent of the owner', 'subagent', { isSubagent: true }, origin()],
    ['S53: anybody, where the owner id is empty', 'unstamped', {}, origin(), { conversation: '' }],
    ['S53: one without a conversation', 'identity-unknown', { conversation: null }, origin()],
    ['S53: one with an empty conversation', 'identity-unknown', { conversation: ' ' }, origin()],
    ['S53: one whose conversation was rotated', 'another-conversation', { conversation: 'c-2' }, origin()],
    ['S53: a hook outside tmux', 'identity-unknown', {}, origin({ serverPid: null, paneId: null })],
    ['a hook that knows a server and no pane', 'identity-unknown', {}, origin({ paneId: null })],
    ['a hook that knows a pane and no server', 'identity-unknown', {}, origin({ serverPid: null })],
    ['one in another tmux server', 'another-pane', {}, origin({ serverPid: 901 })],
    ['S53: the other of two agents in one tmux session', 'another-pane', {}, origin({ paneId: '%2' })],
    [
      'one that merely inherited the environment',
      'identity-unknown',
      {},
      origin({ ancestors: [AGENT, INIT] }),
    ],
    [
      'one below a later server with the same pid',
      'identity-unknown',
      {},
      origin({ ancestors: [AGENT, SHELL, { ...SERVER, startTicks: 1 }, INIT] }),
    ],
    ['one below a server that is said to be gone', 'identity-unknown', {}, origin({ isServerAlive: false })],
    [
      'an agent nested in the pane of the owner, with its very conversation',
      'another-process',
      {},
      origin({ agent: { ...OTHER, argv: ['claude', '-p'] } }),
    ],
    [
      'a later process with the same pid, while the stamped one is said to live',
      'another-process',
      {},
      origin({ agent: { ...AGENT, startTicks: 1, argv: ['claude'] } }),
    ],
    ['a hook below no agent at all', 'identity-unknown', {}, origin({ agent: null })],
    [
      'a hook below no agent, once the owner is gone',
      'identity-unknown',
      {},
      origin({ agent: null, isOwnerAgentAlive: false }),
    ],
    [
      'S53: a new agent in the pane of the owner, once that is gone',
      'another-conversation',
      { conversation: 'c-2' },
      restarted(['claude']),
    ],
    [
      'S53: a fork of the conversation',
      'another-conversation',
      { conversation: 'c-2' },
      restarted(['claude', '--resume', 'c-1', '--fork']),
    ],
    [
      'an agent that resumes something else',
      'another-conversation',
      { conversation: 'c-2' },
      restarted(['claude', '--resume', 'c-3']),
    ],
    ['the conversation resumed in another pane', 'another-pane', {}, restarted(['claude'], { paneId: '%2' })],
    [
      'the conversation resumed outside tmux',
      'identity-unknown',
      {},
      restarted(['claude'], { serverPid: null, paneId: null, ancestors: [OTHER, INIT] }),
    ],
  ])('%s', (_, reason, said, from, stamped = {}) => {
    const found = proveOwner(owner(stamped), stop(said), from, ALONE);
    expect(found).toMatchObject({ state: 'not', reason });
    expect((found as { text: string }).text).not.toBe('');
  });
});

describe('S53: an agent that was killed and started again in the same pane', () => {
  it('is the owner with the same conversation, and is stamped anew', () => {
    expect(proveOwner(owner(), stop(), restarted(['claude', '--continue']), ALONE)).toEqual({
      state: 'proven',
      isReconciled: true,
      owner: owner({ agent: { ...OTHER, kind: 'claude' } }),
    });
  });

  it('is the owner with a new conversation, where its command line takes up the stamped one', () => {
    const again = restarted(['claude', '--resume', 'c-1']);
    expect(proveOwner(owner(), stop({ conversation: 'c-2' }), again, ALONE)).toEqual({
      state: 'proven',
      isReconciled: true,
      owner: owner({ agent: { ...OTHER, kind: 'claude' }, conversation: 'c-2' }),
    });
  });

  it('is stamped with the program that the pane runs now, where it was respawned', () => {
    const respawned = restarted(['claude'], { ancestors: [OTHER, SERVER, INIT] });
    expect(proveOwner(owner(), stop(), respawned, ALONE)).toMatchObject({
      state: 'proven',
      owner: { pane: OTHER },
    });
  });
});

it('a stop that something else below the agent tells of is not the owner’s, whoever runs it', () => {
  const notIts = { state: 'not', reason: 'not-its-hook', text: expect.stringContaining('not the agent') };
  const isOwnHook = () => false;
  expect(proveOwner(owner(), stop(), origin(), { ...ALONE, isOwnHook })).toEqual(notIts);
  expect(proveOwner(owner(), stop(), byDaemon(), { ...DAEMON, isOwnHook })).toEqual(notIts);
  expect(proveOwner(owner(), stop(), restarted(['claude']), { ...ALONE, isOwnHook })).toEqual(notIts);
});

describe("a daemon's hook", () => {
  it("is the owner's by its conversation, while the stamped agent lives: its pane is anybody's", () => {
    const is = owner();
    expect(proveOwner(is, stop(), byDaemon(), DAEMON)).toEqual({
      ...{ state: 'proven', owner: is, isReconciled: false },
    });
    const below = byDaemon({ ancestors: [{ pid: 50, startTicks: 5 }, OTHER, SERVER, INIT] });
    expect(proveOwner(is, stop(), below, DAEMON)).toMatchObject({ state: 'proven' });
  });

  it('S53: is not with another conversation', () => {
    expect(proveOwner(owner(), stop({ conversation: 'c-2' }), byDaemon(), DAEMON)).toMatchObject({
      reason: 'another-conversation',
    });
  });

  it('is after a restart in the pane, with the youngest agent there; its pane stays as it was stamped', () => {
    const launched = { pid: 1201, startTicks: 12_001 };
    const gone = byDaemon({ isOwnerAgentAlive: false, agentsInPane: [OTHER, launched] });
    expect(proveOwner(owner(), stop(), gone, DAEMON)).toEqual({
      state: 'proven',
      isReconciled: true,
      owner: owner({ agent: { ...launched, kind: 'claude' } }),
    });
    expect(proveOwner(owner(), stop({ conversation: 'c-2' }), gone, DAEMON)).toMatchObject({
      reason: 'another-conversation',
    });
  });

  it('S53: is not where nobody is left in the pane', () => {
    const gone = byDaemon({ isOwnerAgentAlive: false, agentsInPane: [] });
    expect(proveOwner(owner(), stop(), gone, DAEMON)).toMatchObject({ reason: 'identity-unknown' });
  });

  it('is none where an agent is above it: that has to be in the pane', () => {
    const other = origin({ paneId: '%2', agent: { ...OTHER, argv: ['codex'] } });
    expect(proveOwner(owner(), stop(), other, DAEMON)).toMatchObject({ reason: 'another-pane' });
  });
});

it('S53: where neither an agent nor a daemon is above the hook, nobody in the pane is taken for its sender', () => {
  const unsent = origin({ agent: null, isOwnerAgentAlive: false, agentsInPane: [OTHER] });
  expect(proveOwner(owner(), stop(), unsent, DAEMON)).toMatchObject({ reason: 'identity-unknown' });
});

describe('whatever a stop looks like', () => {
  const mark = fc.constantFrom<{ pid: number; startTicks: number }>(AGENT, OTHER, SHELL, SERVER, INIT);
  const argv = fc.constantFrom(['claude'], ['claude', '--resume', 'c-1'], ['claude', '--resume', 'c-2']);
  const anything: fc.Arbitrary<StopOrigin> = fc.record({
    serverPid: fc.constantFrom(SERVER.pid, SERVER.pid, 901, null),
    paneId: fc.constantFrom('%1', '%1', '%2', null),
    ancestors: fc.oneof(fc.constant([AGENT, SHELL, SERVER, INIT]), fc.array(mark, { maxLength: 5 })),
    agent: fc.option(
      fc.tuple(mark, argv).map(([one, words]) => ({ ...one, argv: words })),
      { freq: 4 },
    ),
    isServerAlive: fc.constantFrom(true, true, false),
    isOwnerAgentAlive: fc.boolean(),
    agentsInPane: fc.array(mark, { maxLength: 2 }),
    isByDaemon: fc.constantFrom(false, false, false, true),
    hook: fc.constant(origin().hook),
  });
  const from = anything.map((one) => (one.isByDaemon ? { ...one, agent: null } : one));
  const said = fc.record({
    agentKind: fc.constantFrom('claude', 'claude', 'codex'),
    conversation: fc.constantFrom('c-1', 'c-1', 'c-2', '', null),
    isSubagent: fc.constantFrom(false, false, true),
    isContinued: fc.boolean(),
    digest: fc.string(),
  });

  it('S53: the owner is proven only with kind, conversation, pane and process, and the stamp never leaves the pane', () => {
    let proven = 0;
    fc.assert(
      fc.property(from, said, fc.boolean(), (where, what, hasDaemon) => {
        const found = proveOwner(owner(), what, where, { hasDaemon, resumes, isOwnHook: () => true });
        if (found.state === 'not') return;
        proven += 1;
        expect(what).toMatchObject({ agentKind: 'claude', isSubagent: false });
        const isResumed = where.agent !== null && resumes(where.agent.argv) === 'c-1';
        const isSame = what.conversation === 'c-1';
        expect(isSame || (isResumed && !where.isOwnerAgentAlive)).toBe(true);
        const { agent, ...rest } = found.owner;
        expect({ ...rest, pane: SHELL, conversation: 'c-1' }).toEqual({
          ...(({ agent: _, ...stamped }) => stamped)(owner()),
        });
        if (where.isOwnerAgentAlive && !hasDaemon) expect(where.agent).toMatchObject(AGENT);
        const isHere = where.serverPid === SERVER.pid && where.paneId === '%1' && where.isServerAlive;
        if (!hasDaemon || !where.isByDaemon) expect([isHere, where.agent === null]).toEqual([true, false]);
        expect(agent.kind).toBe('claude');
      }),
      { numRuns: 3000 },
    );
    expect(proven).toBeGreaterThan(20);
  });
});
