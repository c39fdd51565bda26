import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createTmuxActuator,
  type TmuxActuatorOptions,
} from '../../../../src/adapters/tmux/act/tmux-actuator.ts';
import type {
  PaneTarget,
  SessionTarget,
  SetAside,
  Terms,
  TmuxActuator,
} from '../../../../src/ports/actuator.ts';
import type { PrivateTmux } from '../../../support/private-tmux.ts';
import { until } from '../../../support/until.ts';
import { UID } from '../look.ts';

/** An actuator whose user has no tmux configuration but what a test puts into the server's folder. */
export function actuatorFor(
  tmux: PrivateTmux,
  env: NodeJS.ProcessEnv = {},
  options: Partial<TmuxActuatorOptions> = {},
): TmuxActuator {
  return createTmuxActuator({
    env: { ...process.env, HOME: tmux.folder, TMUX_TMPDIR: tmux.folder, ...env },
    uid: UID,
    timeoutMs: 15_000,
    ...options,
  });
}

/** A pane as a look would have seen it just now. */
export async function targetOf(tmux: PrivateTmux, paneId: string): Promise<PaneTarget> {
  const format = '#{pid} #{session_id} #{session_created} #{pane_pid}';
  const printed = await tmux.tmux('display-message', '-p', '-t', paneId, format);
  const [server = '', sessionId = '', created = '', pid = ''] = printed.split(' ');
  const identity = { socketPath: tmux.socketPath, pid: Number(server), startTicks: 1 };
  return {
    session: { server: identity, sessionId, createdAtSeconds: Number(created) },
    paneId,
    pid: Number(pid),
  };
}

/** Waits until a pane has become its program: until then what runs in it changes by itself. */
export async function untilRuns(tmux: PrivateTmux, paneId: string, program: string): Promise<void> {
  await until(
    `${program} runs in ${paneId}`,
    () => tmux.tmux('display-message', '-p', '-t', paneId, '#{pane_current_command}'),
    (command) => command === program,
  );
}

/** Terms that demand nothing but the pane itself, in a session without a group. */
export function bareTerms({ session, paneId, pid }: PaneTarget): Terms {
  const written = {
    ...{ at: '', attached: '0/', lastAttached: '', group: '0/', held: '1', alone: '1', piped: '0 ' },
    ...{ panes: `${paneId}=${pid} `, linked: '0 ', modes: '0 ', motion: '0 ' },
  };
  return { stance: { session, panes: [{ paneId, pid }], written, toldAt: 0 }, aside: ALL };
}

const ALL: ReadonlySet<SetAside> = new Set(['attached', 'held', 'mode', 'motion']);

/** Terms that a session stands as it does now. */
export async function termsOf(
  actuator: TmuxActuator,
  session: SessionTarget,
  ...aside: SetAside[]
): Promise<Terms> {
  const stanced = await actuator.stance(session);
  if (stanced.state !== 'seen') throw new Error(stanced.text);
  return { stance: stanced.stance, aside: new Set(aside) };
}

/** A pane that keeps every byte it is sent in a file. */
export async function listeningPane(
  tmux: PrivateTmux,
  name: string,
): Promise<{ pane: PaneTarget; heard(bytes: number): Promise<string> }> {
  const file = join(tmux.folder, `heard-${name}`);
  const { paneId } = await tmux.session(name, 'sh', '-c', hearing(file));
  await until(
    'it listens',
    () => read(file),
    (text) => text !== null,
  );
  const pane = await targetOf(tmux, paneId);
  const heard = async (bytes: number): Promise<string> =>
    (await until(
      'it was heard',
      () => read(file) ?? '',
      (text) => Buffer.byteLength(text) >= bytes,
    )) ?? '';
  return { pane, heard };
}

/** A shell command that keeps what it is sent; the file is there once the terminal is ready. */
export function hearing(file: string): string {
  return `stty raw -echo; exec cat > ${file}`;
}

export function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
