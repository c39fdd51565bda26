import { lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { visible } from '../../core/text/visible.ts';
import { succeeds } from '../../core/try-or.ts';
import type { ServiceApplied, ServiceDesk, ServicePlan } from '../../ports/daemon.ts';
import { ChangedMeanwhile } from '../files/exchange.ts';
import { textAt } from '../files/look.ts';
import { removeUserFile, replaceUserFile } from '../files/replace-user-file.ts';
import { readUserFile } from '../files/user-file.ts';
import { runNow } from '../programs/run-now.ts';

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
        if (plan.text !== null) change(plan);
        // A unit has to be there to be disabled.
        const missed = canRun ? plan.commands.filter((command) => !run(command)) : plan.commands;
        if (plan.text === null && plan.before !== null) change(plan);
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
  // A link to nothing is somebody's, too.
  return succeeds(() => lstatSync(path)) ? (textAt(path) ?? '') : null;
}

/** Writes or removes the unit, if it is still what was shown. */
function change({ path, before, text }: ServicePlan): void {
  const file = readUserFile(path);
  if (file.state === 'wrong') throw new Error(`${path}: ${file.problem.text}`);
  try {
    if ((file.state === 'read' ? file.text : null) !== before) throw new ChangedMeanwhile();
    if (text !== null) replaceUserFile(file, text, 0o600);
    else if (file.state === 'read') removeUserFile(file);
  } catch (error) {
    throw error instanceof ChangedMeanwhile ? new Error(`${path}: ${error.message}`) : error;
  }
}

function runQuietly(argv: readonly string[]): boolean {
  return runNow(argv, { timeoutMs: COMMAND_MS, killSignal: 'SIGTERM' }).isDone;
}

/** The user unit that runs the daemon from login on. */
export function systemdUnit({ argv, env, marker }: ServiceProgram): string {
  const [program = '', ...words] = argv;
  const variables = Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`);
  return `# ${marker}
[Unit]
Description=rollcall: keeps the roll of the agent sessions in tmux
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=simple
ExecStart=${[quoted(program), ...words.map((word) => quoted(word).replaceAll('$', '$$$$'))].join(' ')}
WorkingDirectory=/
${variables.join('')}Restart=on-failure
RestartSec=5
TimeoutStopSec=90
# Only rollcall itself: tmux servers that it started live on when it stops.
KillMode=process

[Install]
WantedBy=default.target
`;
}

// In double quotes systemd takes C escapes, and it expands % everywhere. A $ is expanded in the words behind the program.
function quoted(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, '\\$&')
    .replace(
      /[\u0000-\u001f\u007f]/g,
      (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .replaceAll('%', '%%');
  return `"${escaped}"`;
}

const LAUNCHD_LABEL = 'local.rollcall';

/** The agent that runs the daemon from login on. */
export function launchdPlist({ argv, env, marker }: ServiceProgram): string {
  const variables = Object.entries(env).map(
    ([name, value]) => `    <key>${xml(name)}</key>\n    <string>${xml(value)}</string>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${marker} -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LAUNCHD_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${argv.map((word) => `    <string>${xml(word)}</string>\n`).join('')}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('')}  </dict>
  <key>WorkingDirectory</key>
  <string>/</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>90</integer>
  <!-- Only rollcall itself: tmux servers that it started live on when it stops. -->
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardOutPath</key>
  <string>/dev/null</string>
</dict>
</plist>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

// XML has no way to write other control characters.
function xml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}

interface ServiceProgram {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A line by which rollcall knows its own file again. */
  readonly marker: string;
}

export const SERVICE_MARKER = 'Written by rollcall up --install; rollcall up --uninstall removes it.';

// A service begins with hardly any variables: these tell where tmux, sessions, agents and settings are.
const CARRIED = (
  'PATH LANG TMUX_TMPDIR XDG_STATE_HOME XDG_CONFIG_HOME XDG_DATA_HOME ROLLCALL_CONFIG CLAUDE_CONFIG_DIR CODEX_HOME ' +
  'GEMINI_CLI_HOME'
).split(' ');

export function carriedVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    CARRIED.flatMap((name) => {
      const value = env[name];
      return value ? [[name, value]] : [];
    }),
  );
}
