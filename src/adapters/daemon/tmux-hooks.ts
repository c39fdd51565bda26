import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Round } from '../../core/supervision/round.ts';
import type { DaemonLog, WakeSource } from '../../ports/daemon.ts';
import { sha256 } from '../files/digest.ts';
import { createFolderWatch } from './folder-watch.ts';

/** The place of our own in each list of hooks; the user's are at others, and are never touched. */
const INDEX = 900;

const EVENTS = (
  'session-created session-closed session-renamed client-attached client-detached window-linked window-unlinked ' +
  'pane-died pane-exited'
).split(' ');

const SIGNAL = 'tmux';

export interface TmuxHooksOptions {
  /** Where the hooks leave their sign: a folder for nothing else. */
  readonly folder: string;
  /** Off, it only removes what a daemon that was killed left behind. */
  readonly isOn: boolean;
  /** Runs one tmux command list; null where it failed. */
  run(socketPath: string, command: readonly string[]): Promise<string | null>;
  readonly log: DaemonLog;
}

/** Hooks in tmux servers: they touch one file, and that file is watched. */
export function createTmuxHooks({ folder, isOn, run, log }: TmuxHooksOptions): WakeSource {
  const servers = new Map<string, number>();
  const watch = createFolderWatch({
    folder,
    log,
    why: 'tmux-hook',
    isNews: (name) => name === SIGNAL || name === '',
  });
  // By this word our own hooks are known again, however tmux writes down the rest.
  const token = `rollcall-${sha256(folder).slice(0, 16)}`;
  const touch = touchCommand(folder, token);

  const removeFrom = async (socketPath: string) => {
    const ours = (await hooksOf(socketPath)).filter(({ value }) => value.includes(token));
    const commands = ours.map(({ name, scope }) => ['set-hook', `-${scope}u`, `${name}[${INDEX}]`]);
    if (commands.length > 0) await run(socketPath, list(commands));
  };

  const hooksOf = async (socketPath: string): Promise<Hook[]> => {
    const found = await Promise.all(
      (['g', 'gw'] as const).map(async (scope) => {
        const printed = await run(socketPath, ['show-hooks', `-${scope}`]);
        return (printed ?? '').split('\n').flatMap((line) => hookIn(line, scope));
      }),
    );
    return found.flat();
  };

  const setIn = async (socketPath: string) => {
    const taken = new Set((await hooksOf(socketPath)).map(({ name }) => name));
    const free = EVENTS.filter((event) => !taken.has(event));
    if (free.length < EVENTS.length) log.warn('tmux-hooks-taken', { socketPath, index: INDEX });
    const commands = free.map((event) => ['set-hook', '-g', `${event}[${INDEX}]`, touch]);
    const done = await run(socketPath, list(commands));
    if (done === null) log.warn('tmux-hooks-failed', { socketPath });
  };

  return {
    start(wake) {
      if (!isOn) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      closeSync(openSync(join(folder, SIGNAL), 'a', 0o600));
      watch.start(wake);
    },
    async follow(round: Round) {
      if (isOn) void watch.follow(round);
      for (const { socketPath, pid } of round.roll.servers) {
        if (pid === undefined || servers.get(socketPath) === pid) continue;
        servers.set(socketPath, pid);
        await removeFrom(socketPath);
        if (isOn) await setIn(socketPath);
      }
    },
    async stop() {
      watch.stop();
      if (isOn) await Promise.all([...servers.keys()].map(removeFrom));
      servers.clear();
    },
  };
}

interface Hook {
  readonly name: string;
  readonly value: string;
  readonly scope: 'g' | 'gw';
}

function hookIn(line: string, scope: Hook['scope']): Hook[] {
  const [, name, index, value] = /^([a-z-]+)\[(\d+)\] (.*)$/.exec(line) ?? [];
  return name !== undefined && value !== undefined && Number(index) === INDEX ? [{ name, value, scope }] : [];
}

function list(commands: readonly (readonly string[])[]): string[] {
  return commands.flatMap((command, index) => (index === 0 ? command : [';', ...command]));
}

// Whatever goes wrong stays silent: tmux would show it to whoever is attached. In a subshell, because a redirection that
// fails ends the shell of a special builtin.
function touchCommand(folder: string, token: string): string {
  // `#` is doubled, because tmux expands formats before the shell takes the path.
  const path = `'${join(folder, SIGNAL).replaceAll("'", "'\\''").replaceAll('#', '##')}'`;
  const script = `(: ${token} >${path}) 2>/dev/null || true`;
  return `run-shell -b "${script.replace(/[\\"$]/g, '\\$&')}"`;
}
