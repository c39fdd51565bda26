import type { Capabilities } from '../../src/cli/frame/capabilities.ts';
import type { Outside } from '../../src/cli/frame/outside.ts';
import { runCli } from '../../src/cli/frame/run-cli.ts';
import type { TerminalOutput } from '../../src/cli/frame/surroundings.ts';
import { capabilitiesOf } from '../../src/compose/capabilities.ts';
import type { Settings } from '../../src/config/settings.ts';
import type { InstalledAgent } from '../../src/core/doctor/sightings.ts';
import type { Roll } from '../../src/core/sight/roll.ts';
import type { LookOptions } from '../../src/engine/look/look.ts';
import type { DaemonControl, DaemonSighting } from '../../src/ports/daemon.ts';
import { NOW } from './render/samples.ts';

interface FakeParts
  extends Partial<Capabilities>,
    Partial<Pick<Outside, 'cwd' | 'pid' | 'now' | 'onSignal' | 'stdin' | 'settled'>> {
  readonly roll?: Roll | ((options?: LookOptions) => Promise<Roll>);
  readonly installed?: readonly InstalledAgent[];
  readonly env?: Record<string, string>;
  readonly isTTY?: boolean;
  readonly columns?: number | null;
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
  const {
    roll,
    installed = [],
    env = { HOME: '/nowhere' },
    cwd = '/nowhere',
    pid = 1,
    now = () => NOW,
    onSignal = () => () => {},
    stdin = { isTTY: false, setRawMode: () => {}, onText: () => () => {} },
    settled = async () => 'written',
    isTTY: _,
    columns: __,
    ...capabilities
  } = parts;
  const exitCode = await runCli(argv, {
    env,
    cwd,
    socketOf: (label) => label,
    stdout,
    stderr,
    stdin,
    version: '1.2.3',
    pid,
    self: ['node', 'rollcall.cjs'],
    now,
    onSignal,
    settled,
    capabilities: {
      ...NO_CAPABILITIES,
      archive: async () => ({ differences: () => null }),
      standIn: async () => null,
      daemonControl: async () => fakeControl({ state: 'absent' }),
      installedAgents: async () => installed,
      eyes: async (config) => {
        composed.push(await config());
        return async (options) => {
          looks.push(options);
          if (roll === undefined) throw new Error('this command line was not expected to look');
          return typeof roll === 'function' ? roll(options) : roll;
        };
      },
      ...capabilities,
    },
  });
  return { exitCode, stdout: stdout.text, stderr: stderr.text, looks, composed };
}

/** Every one of them fails: for commands that are to ask for none. */
export const NO_CAPABILITIES = new Proxy({} as Capabilities, {
  ownKeys: () => Object.keys(capabilitiesOf({}, '0')),
  getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  get: (_, name) => () => Promise.reject(new Error(`no ${String(name)} here`)),
});

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

class FakeOutput implements TerminalOutput {
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
