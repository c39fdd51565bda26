import { execFile } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Stage, StageEnd, StageSetUp } from '../../ports/stage.ts';
import type { Part } from './cast.ts';
import { AGENT_SCRIPT, CAST, LEASH } from './cast.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 5000;
/** Marks the demo's own server, with the folder it uses. */
const MARK = '@rollcall-demo';
/** Marks each session of the cast: nothing else on that server is ever ended. */
const PART = '@rollcall-part';
const ENDING_TURNS = 20;
const POLL_MS = 50;
const FOLDER_PREFIX = 'rollcall-demo-';

interface StageOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly uid: number;
  readonly label: string;
}

/**
 * Sets up a tmux server of the demo's own. A label that is already in use is refused: it is somebody's server. So is one
 * that gives no answer, which is no proof that nobody is there.
 */
export async function setUpStage(options: StageOptions): Promise<StageSetUp> {
  const tmux = tmuxOn(options);
  if (!(await isFree(socketPathOf(options)))) {
    const hint = 'end an earlier demo with "rollcall demo --stop", or choose another name with --server';
    return { state: 'refused', text: `a tmux server named ${options.label} is already running`, hint };
  }
  return { state: 'ready', stage: stageOn(options, tmux) };
}

/** Ends a demo that was kept; null when there is none under that label. */
export async function strikeStage(options: StageOptions): Promise<StageEnd | null> {
  const tmux = tmuxOn(options);
  const folder = await tmux('show-options', '-gqv', MARK).catch(() => '');
  if (!basename(folder).startsWith(FOLDER_PREFIX)) return null;
  return close(folder, tmux);
}

type Tmux = (...argv: string[]) => Promise<string>;

function tmuxOn({ env: { TMUX: _server, TMUX_PANE: _pane, ...env }, label }: StageOptions): Tmux {
  return async (...argv) => {
    const { stdout } = await run('tmux', ['-L', label, '-f', '/dev/null', ...argv], {
      env,
      timeout: TIMEOUT_MS,
    });
    return stdout.trim();
  };
}

function socketPathOf({ env, uid, label }: StageOptions): string {
  return join(env.TMUX_TMPDIR ?? '/tmp', `tmux-${uid}`, label);
}

function stageOn(options: StageOptions, tmux: Tmux): Stage {
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  const agent = join(folder, 'rollcall-scripted-agent');
  return {
    socketPath: socketPathOf(options),
    ...{ folder, agent },
    async open() {
      writeFileSync(agent, AGENT_SCRIPT);
      chmodSync(agent, 0o700);
      mkdirSync(join(folder, 'work'));
      await run('mkfifo', [join(folder, LEASH)]);
      for (const part of CAST) await tmux(...start(part, agent, folder));
      await tmux('set-option', '-g', MARK, folder);
      await untilEnded(tmux);
    },
    close: () => close(folder, tmux),
  };
}

// A program that ends at once must not be gone before its window is told to keep it.
function start(part: Part, agent: string, folder: string): string[] {
  const text = part.script.replaceAll('@agent', agent).replaceAll('@folder', folder);
  const script = part.program === undefined ? text : asProgram(join(folder, part.program), text);
  const where = ['-x', '100', '-y', '30', '-c', join(folder, 'work'), '-s', part.name];
  const target = `=${part.name}:`;
  return [
    ...['new-session', '-d', ...where, 'sh', '-c', part.remainsOnExit ? `sleep 0.3; ${script}` : script],
    ...[';', 'set-option', '-t', target, PART, '1'],
    ...(part.remainsOnExit ? [';', 'set-option', '-w', '-t', target, 'remain-on-exit', 'on'] : []),
  ];
}

// tmux before 3.6 can miss the death of a child; another that ends makes it look again. Nobody waits for that one: it may
// be missed as well.
async function untilEnded(tmux: Tmux): Promise<void> {
  const wanted = CAST.filter((part) => part.remainsOnExit).length;
  for (let turn = 0; turn < ENDING_TURNS; turn += 1) {
    await tmux('run-shell', '-b', 'true');
    await setTimeout(2 * POLL_MS);
    const statuses = await tmux('list-panes', '-a', '-F', '#{pane_dead_status}');
    if (statuses.split('\n').filter((status) => status !== '').length === wanted) return;
  }
}

function asProgram(path: string, text: string): string {
  writeFileSync(path, text);
  return `exec sh ${path}`;
}

// The server goes with its last session. A session or a pane that somebody added is theirs, and keeps it.
async function close(folder: string, tmux: Tmux): Promise<StageEnd> {
  const socketPath = await tmux('display-message', '-p', '#{socket_path}').catch(() => '');
  const ids = await tmux('list-sessions', '-F', '#{session_id}').catch(() => '');
  const isUntouched = `#{==:#{${PART}}/#{session_windows}/#{window_panes},1/1/1}`;
  for (const id of ids.split('\n').filter((one) => one !== '')) {
    await tmux('if-shell', '-F', '-t', `${id}:`, isUntouched, `kill-session -t ${id}`).catch(() => '');
  }
  release(join(folder, LEASH));
  const left = await tmux('list-sessions', '-F', '#{session_name}').catch(() => '');
  if (left !== '') return { state: 'kept', sessions: left.split('\n') };
  // The server answers its last command before it is gone; whoever starts another one then would meet the dying one.
  for (let turn = 0; turn < ENDING_TURNS && !(await isFree(socketPath)); turn += 1) await setTimeout(POLL_MS);
  // tmux leaves its socket file behind.
  if (socketPath !== '' && (await isFree(socketPath))) rmSync(socketPath, { force: true });
  rmSync(folder, { recursive: true, force: true });
  return { state: 'over' };
}

/** Whether surely nobody listens there. */
function isFree(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTSOCK'),
    );
  });
}

// Without a reader at the other side there is nobody to let go.
function release(leash: string): void {
  try {
    closeSync(openSync(leash, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch {
    // Nobody waits there.
  }
}
