import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { visible } from '../../core/visible.ts';
import type { ServiceApplied, ServiceDesk, ServicePlan } from '../../ports/daemon.ts';
import { LAUNCHD_LABEL, launchdPlist } from './launchd-plist.ts';
import { carriedVariables, SERVICE_MARKER, type ServiceProgram } from './service-program.ts';
import { systemdUnit } from './systemd-unit.ts';

const UNIT = 'rollcall.service';
const COMMAND_MS = 60_000;

export interface ServiceOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly uid: number;
  readonly home: string;
  /** The words that start the daemon in the foreground. */
  readonly argv: readonly string[];
  readonly platform?: NodeJS.Platform;
  /** Whether the command ended well. */
  readonly run?: (argv: readonly string[]) => boolean;
}

/** The service of this user's login: a systemd user unit, or a launchd agent. */
export function createServiceDesk(options: ServiceOptions): ServiceDesk {
  const { env, uid, home, argv, platform = process.platform, run = runQuietly } = options;
  const isMac = platform === 'darwin';
  const program: ServiceProgram = { argv, env: carriedVariables(env), marker: SERVICE_MARKER };
  const path = isMac
    ? join(home, 'Library/LaunchAgents/rollcall.plist')
    : join(configFolder(env, home), UNIT);

  const commands = (action: ServicePlan['action'], isRunning: boolean): readonly (readonly string[])[] => {
    if (isMac) {
      const domain = `gui/${uid}`;
      if (action === 'uninstall') return [['launchctl', 'bootout', `${domain}/${LAUNCHD_LABEL}`]];
      return isRunning ? [] : [['launchctl', 'bootstrap', domain, path]];
    }
    const own = (...words: string[]) => ['systemctl', '--user', ...words];
    if (action === 'uninstall') return [own('disable', '--now', UNIT), own('daemon-reload')];
    return [own('daemon-reload'), isRunning ? own('enable', UNIT) : own('enable', '--now', UNIT)];
  };

  return {
    plan(action, isRunning) {
      const there = readUnit(path);
      if (there !== null && !there.includes(SERVICE_MARKER)) {
        return {
          state: 'refused',
          text: `${visible(path)} was not written by rollcall`,
          hint: 'look at it, and move it away',
        };
      }
      const text = action === 'uninstall' ? null : isMac ? launchdPlist(program) : systemdUnit(program);
      return { state: 'planned', action, path, before: there, text, commands: commands(action, isRunning) };
    },
    apply(plan) {
      const canRun = isMac || run(['systemctl', '--user', 'show-environment']);
      try {
        if (plan.text !== null) writeWhole(plan.path, plan.text);
        // A unit has to be there to be disabled.
        const missed = canRun ? plan.commands.filter((command) => !run(command)) : plan.commands;
        if (plan.text === null && plan.before !== null) unlinkSync(plan.path);
        return { state: 'done', missed } satisfies ServiceApplied;
      } catch (error) {
        return { state: 'failed', text: visible((error as Error).message) };
      }
    },
  };
}

function configFolder({ XDG_CONFIG_HOME: xdg = '' }: NodeJS.ProcessEnv, home: string): string {
  return join(isAbsolute(xdg) ? xdg : join(home, '.config'), 'systemd/user');
}

function readUnit(path: string): string | null {
  try {
    // A link to nothing is somebody's, too.
    lstatSync(path);
  } catch {
    return null;
  }
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, path);
}

function runQuietly([program = '', ...words]: readonly string[]): boolean {
  return spawnSync(program, words, { stdio: 'ignore', timeout: COMMAND_MS }).status === 0;
}
