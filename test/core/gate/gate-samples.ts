import type { CheckedItem, CheckResult, GateCheck } from '../../../src/core/gate/check.ts';
import {
  type GateContract,
  type GateCounter,
  type GateOwner,
  NOTHING_USED,
} from '../../../src/core/gate/contract.ts';
import type { StopView } from '../../../src/core/gate/decide.ts';
import type { StopFacts, StopOrigin } from '../../../src/core/gate/decision.ts';
import { HOUR, NOW } from '../../support/evidence.ts';
import { digest, KEY } from '../ledger/sample-chain.ts';

export const AT = NOW.at;

export const SERVER = { pid: 900, startTicks: 9000 } as const;
export const SHELL = { pid: 1000, startTicks: 10_000 } as const;
export const AGENT = { pid: 1100, startTicks: 11_000 } as const;
/** Another agent of the same kind, started later. */
export const OTHER = { pid: 1200, startTicks: 12_000 } as const;
export const INIT = { pid: 1, startTicks: 1 } as const;

export function owner(over: Partial<GateOwner> = {}): GateOwner {
  return {
    session: { key: KEY, name: 'build' },
    server: { ...SERVER, socketPath: '/tmp/tmux-1000/default' },
    paneId: '%1',
    pane: SHELL,
    agent: { ...AGENT, kind: 'claude' },
    conversation: 'c-1',
    stampedAt: AT - HOUR,
    ...over,
  };
}

export const TESTS: GateCheck = { kind: 'command', argv: ['npm', 'test'], cwd: null, timeoutMs: 300_000 };
export const CLEAN: GateCheck = { kind: 'clean' };

export function items(...checks: GateCheck[]): CheckedItem[] {
  return checks.map((check) => ({ check, result: null }));
}

export function result(state: CheckResult['state'], over: Partial<CheckResult> = {}): CheckResult {
  const text = state === 'met' ? '' : state === 'unmet' ? 'it ended with status 1' : 'git gave no answer';
  return { state, text, at: AT, tree: 't-1', mark: '1', ...over };
}

/** One that asks for passing tests, is open for seven more hours and has never kept anybody going. */
export function contract(over: Partial<GateContract> = {}): GateContract {
  return {
    format: 1,
    id: 'abcdef01',
    task: 'fix the build',
    startedAt: AT - HOUR,
    expiresAt: AT + 7 * HOUR,
    cwd: '/project',
    project: '/project',
    checks: items(TESTS),
    reinforce: 3,
    owner: owner(),
    phase: 'open',
    ended: null,
    enforced: NOTHING_USED,
    shadowed: NOTHING_USED,
    stale: null,
    ...over,
  };
}

export function counter(over: Partial<GateCounter> = {}): GateCounter {
  return { ...NOTHING_USED, ...over };
}

export function stop(over: Partial<StopFacts> = {}): StopFacts {
  return {
    agentKind: 'claude',
    conversation: 'c-1',
    isSubagent: false,
    isContinued: false,
    digest: 'stop-1',
    ...over,
  };
}

/** From the stamped agent, in its pane. */
export function origin(over: Partial<StopOrigin> = {}): StopOrigin {
  return {
    serverPid: SERVER.pid,
    paneId: '%1',
    ancestors: [AGENT, SHELL, SERVER, INIT],
    isByDaemon: false,
    agent: { ...AGENT, argv: ['claude'] },
    hook: { argv: ['sh', '/home/dev/.local/share/rollcall/hook.sh', 'claude', 'Stop'], stdin: 'stream' },
    isServerAlive: true,
    isOwnerAgentAlive: true,
    agentsInPane: [AGENT],
    ...over,
  };
}

/** Enforce, with tests that fail. */
export function view(over: Partial<StopView> = {}): StopView {
  return {
    mode: 'enforce',
    switch: null,
    now: AT,
    results: [result('unmet')],
    tree: 't-1',
    cap: null,
    digest,
    ...over,
  };
}
