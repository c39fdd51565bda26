import { namesInEnvironment } from '../../../core/sight/server-environment.ts';
import { visible } from '../../../core/text/visible.ts';
import type { PaneWish, StartedSession } from '../../../ports/actuator.ts';
import type { RunTmux } from '../run-tmux.ts';
import { type EndPlace, endHookCommands, heldEndCommands } from './end-hook.ts';
import { SET_BY_TMUX } from './program.ts';

export type Running = Extract<StartedSession, { state: 'started' }>;

export function failed(text: string) {
  return { state: 'failed', text: visible(text, 600) } as const;
}

/** Commands that say what becomes of a pane when what is started in it ends. */
export function endCommands(
  pane: string,
  socketPath: string,
  { stamp, isKept = false, isUnrecorded }: PaneWish,
  ends: EndPlace | undefined,
): string[][] {
  if (isUnrecorded) return heldEndCommands(pane);
  return ends === undefined ? [] : endHookCommands(pane, { ...ends, socketPath, run: stamp.run, isKept });
}

/** What tmux tells of a pane in which something was started; the name last, since it is free text. */
export function startedFormat(nonce: string): string {
  const told = '#{pid},#{session_id},#{session_created},#{pane_id},#{pane_pid}';
  return `${nonce}${told}${nonce}#{session_name}${nonce}`;
}

/** Null where it is not told. */
export function readStarted(output: string, socketPath: string, nonce: string): Running | null {
  const [, facts = '', name = ''] = output.split(nonce);
  const match = /^(\d{1,15}),(\$\d{1,15}),(\d{1,15}),(%\d{1,15}),(-?\d{1,15})$/.exec(facts);
  if (match === null) return null;
  const [, serverPid, sessionId = '', createdAtSeconds, paneId = '', pid] = match;
  return {
    state: 'started',
    server: { socketPath, pid: Number(serverPid) },
    sessionId,
    createdAtSeconds: Number(createdAtSeconds),
    name,
    paneId,
    pid: Number(pid),
  };
}

/** The kernel lets a process start with a few megabytes of variables at most. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Variables that a running server would add to those of the caller: whoever unset one does not want the value that the
 * server was once started with. None where no server runs, because the one that is started has the caller's. The names
 * become arguments, which every user can read: only what is a name for certain, and looks like one.
 */
export async function serverOnlyVariables(
  run: RunTmux,
  socketPath: string,
  { caller, env }: PaneWish,
): Promise<string[]> {
  if (caller === undefined) return [];
  const ended = await run(socketPath, ['show-environment', '-gs'], { maxBytes: MAX_BYTES });
  if (ended.ended !== 'exit' || ended.code !== 0) return [];
  const isKept = (name: string) =>
    Object.hasOwn(caller.values, name) ||
    Object.hasOwn(env, name) ||
    SET_BY_TMUX.has(name) ||
    caller.leftToServer.includes(name);
  const names = namesInEnvironment(ended.stdout.toString('utf8')) ?? [];
  return names.filter((name) => IDENTIFIER.test(name) && !isKept(name));
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;
