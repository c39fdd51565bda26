import type { Outside } from '../../src/cli/frame/outside.ts';
import { runCli } from '../../src/cli/frame/run-cli.ts';
import type { Output } from '../../src/cli/frame/surroundings.ts';
import type { Settings } from '../../src/config/settings.ts';
import type { Roll } from '../../src/core/sight/roll.ts';
import type { LookOptions } from '../../src/engine/look/look.ts';
import type { DaemonControl, DaemonSighting } from '../../src/ports/daemon.ts';
import type { InstalledAgent } from '../../src/ports/installed-agents.ts';
import { NOW } from './render/samples.ts';

interface FakeParts {
  readonly roll?: Roll | ((options?: LookOptions) => Promise<Roll>);
  readonly installed?: readonly InstalledAgent[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly isTTY?: boolean;
  readonly columns?: number | null;
  readonly hookConfig?: Outside['hookConfig'];
  readonly ledger?: Outside['ledger'];
  readonly archive?: Outside['archive'];
  readonly history?: Outside['history'];
  readonly lockDesk?: Outside['lockDesk'];
  readonly guardProbes?: Outside['guardProbes'];
  readonly notifyTest?: Outside['notifyTest'];
  readonly composeHands?: Outside['composeHands'];
  readonly composePressure?: Outside['composePressure'];
  readonly composeReapDesk?: Outside['composeReapDesk'];
  readonly composeGate?: Outside['composeGate'];
  readonly composeDoctor?: Outside['composeDoctor'];
  readonly composeDaemon?: Outside['composeDaemon'];
  readonly composeStandIn?: Outside['composeStandIn'];
  readonly daemonControl?: Outside['daemonControl'];
  readonly handOver?: Outside['handOver'];
  readonly pid?: number;
  readonly now?: () => number;
  readonly onSignal?: Outside['onSignal'];
  readonly stdin?: Outside['stdin'];
  readonly settled?: Outside['settled'];
}

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Options of every look that was taken. */
  readonly looks: readonly (LookOptions | undefined)[];
  /** What the sensors were composed with, once for each time. */
  readonly composed: readonly Settings[];
}

/** Runs a command line against a roll, without a process, a terminal or any tmux. */
export async function run(argv: readonly string[], parts: FakeParts = {}): Promise<Ran> {
  const stdout = new FakeOutput(parts.isTTY ?? false, parts.columns ?? null);
  const stderr = new FakeOutput(false, null);
  const looks: (LookOptions | undefined)[] = [];
  const composed: Settings[] = [];
  const exitCode = await runCli(argv, {
    env: parts.env ?? { HOME: '/nowhere' },
    cwd: parts.cwd ?? '/nowhere',
    handOver: parts.handOver ?? (() => Promise.reject(new Error('nobody to hand over to'))),
    socketOf: (label) => label,
    stdout,
    stderr,
    stdin: parts.stdin ?? { isTTY: false, setRawMode: () => {}, onText: () => () => {} },
    version: '1.2.3',
    pid: parts.pid ?? 1,
    self: ['node', 'rollcall.cjs'],
    now: parts.now ?? (() => NOW),
    onSignal: parts.onSignal ?? (() => () => {}),
    installedAgents: async () => parts.installed ?? [],
    hookConfig: parts.hookConfig ?? (() => Promise.reject(new Error('no hook config here'))),
    ledger: parts.ledger ?? (() => Promise.reject(new Error('no ledger here'))),
    archive: parts.archive ?? (async () => ({ differences: () => null })),
    history: parts.history ?? (() => Promise.reject(new Error('no history here'))),
    lockDesk: parts.lockDesk ?? (() => Promise.reject(new Error('no locks here'))),
    guardProbes: parts.guardProbes ?? (() => Promise.reject(new Error('no guard probes here'))),
    notifyTest: parts.notifyTest ?? (() => Promise.reject(new Error('no notifications here'))),
    composeHands: parts.composeHands ?? (() => Promise.reject(new Error('no hands here'))),
    composeDaemon: parts.composeDaemon ?? (() => Promise.reject(new Error('no daemon here'))),
    composeStandIn: parts.composeStandIn ?? (async () => null),
    daemonControl: parts.daemonControl ?? (async () => fakeControl({ state: 'absent' })),
    composeDoctor: parts.composeDoctor ?? (() => Promise.reject(new Error('no doctor here'))),
    composePressure: parts.composePressure ?? (() => Promise.reject(new Error('no pressure here'))),
    composeReapDesk: parts.composeReapDesk ?? (() => Promise.reject(new Error('no reaper here'))),
    composeGate: parts.composeGate ?? (() => Promise.reject(new Error('no gate here'))),
    answerStop: () => Promise.reject(new Error('no stops here')),
    composeTheatre: () => Promise.reject(new Error('no theatre here')),
    compose: async (settings) => {
      composed.push(settings);
      return async (options) => {
        looks.push(options);
        if (parts.roll === undefined) throw new Error('this command line was not expected to look');
        return typeof parts.roll === 'function' ? parts.roll(options) : parts.roll;
      };
    },
    settled: parts.settled ?? (async () => 'written'),
  });
  return { exitCode, stdout: stdout.text, stderr: stderr.text, looks, composed };
}

/** A daemon's control that sees this and does nothing. */
export function fakeControl(seen: DaemonSighting, changes: Partial<DaemonControl> = {}): DaemonControl {
  const refuse = () => {
    throw new Error('nobody was to do this');
  };
  return {
    logPath: '/nowhere/daemon.log',
    see: () => seen,
    answer: async () => null,
    ...{ startBehind: refuse, askToStop: refuse, service: refuse, endOfLog: () => [] },
    watch: () => () => null,
    ...changes,
  };
}

class FakeOutput implements Output {
  readonly isTTY: boolean;
  readonly columns: number | null;
  readonly rows = null;
  text = '';

  constructor(isTTY: boolean, columns: number | null) {
    this.isTTY = isTTY;
    this.columns = columns;
  }

  write(text: string): void {
    this.text += text;
  }

  onResize(): () => void {
    return () => {};
  }
}
