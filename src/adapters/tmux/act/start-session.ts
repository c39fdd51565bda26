import { mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { visible } from '../../../core/text/visible.ts';
import type { SessionWish, StartedSession } from '../../../ports/actuator.ts';
import { findSockets, inspectSocket, type SocketPlace } from '../find-sockets.ts';
import { createNonce, readNoAnswer, type TmuxRun } from '../run-tmux.ts';
import { actInPane, type Reach } from './act-if.ts';
import type { EndPlace } from './end-hook.ts';
import { SESSION_RUN, stampCommands } from './own-marks.ts';
import { programArguments, variableArguments, wishProblem } from './program.ts';
import { markCommands, nudgedStart, takeMark } from './server-mark.ts';
import {
  endCommands,
  failed,
  type Running,
  readStarted,
  serverOnlyVariables,
  startedFormat,
} from './started.ts';
import { commandArguments, commandInput, commandText, literal } from './words.ts';

const MAX_BYTES = 256 * 1024;

/** Reads the commands from the client's input: its arguments stay readable for every user as long as the server lives. */
const FROM_INPUT = ['start-server', ';', 'source-file', '-'];

/**
 * Starts a detached session. `started` means that tmux made it and forked; whether the program could be executed, and
 * still runs, shows only when one looks. The options come in the same command: where `destroy-unattached` is on for all,
 * tmux removes a session as soon as a client leaves.
 */
export async function startSession(reach: Reach, path: string, wish: SessionWish): Promise<StartedSession> {
  const problem = nameProblem(wish) ?? wishProblem(wish) ?? (await reach.folderProblem(wish.cwd));
  if (problem !== null) return failed(problem);
  if (path.includes('\n')) return failed(NOT_LISTED);
  const place = openSocketFolder(path, reach.uid);
  if (place.state === 'failed') return failed(place.text);
  const { socketPath } = place;
  const nonce = createNonce();
  const strangers = await serverOnlyVariables(reach.run, socketPath, wish);
  const whole = { ...wish, withoutEnv: [...wish.withoutEnv, ...strangers] };
  const hook = (pane: string) => endCommands(pane, socketPath, wish, reach.ends);
  const commands = startCommands(whole, nonce, hook, reach.ends);
  const ended = await nudgedStart(reach.run, socketPath, tell(reach, socketPath, whole, commands));
  if (ended === null) return failed(TOO_OLD);
  const startTicks = reach.ends ? takeMark(reach.ends, wish.stamp.run) : null;
  const started =
    ended.ended === 'exit' ? readStarted(ended.stdout.toString('utf8'), socketPath, nonce) : null;
  if (started === null) return notStarted(ended, socketPath);
  const running = { ...started, server: { ...started.server, ...(startTicks !== null && { startTicks }) } };
  const isSet = ended.ended === 'exit' && ended.stdout.includes(`${nonce}set`);
  return isSet ? running : setByIds(reach, running, wish, hook);
}

/** The kernel lists sockets line by line: a session that nobody can see afterwards is not started. */
const NOT_LISTED =
  'the path of its tmux socket contains a line break, so its sessions cannot be seen: use another --server';

function nameProblem({ name }: SessionWish): string | null {
  if (name === '') return 'a session needs a name';
  return name.includes('\0') ? 'no text may hold a NUL character' : null;
}

const TOO_OLD =
  'this tmux cannot be given variables without showing them to every user; it takes tmux 3.2 or newer, or --clean-env and no --env';

/** Null where this tmux can be told by arguments only (before 3.2) and there is something that must not stand in them. */
async function tell(
  { run }: Reach,
  socketPath: string,
  wish: SessionWish,
  commands: readonly (readonly string[])[],
): Promise<TmuxRun | null> {
  const bounds = { maxBytes: MAX_BYTES };
  const ended = await run(socketPath, FROM_INPUT, { ...bounds, input: commandInput(commands) });
  const isUnread = ended.ended === 'exit' && ended.code === 1 && NO_INPUT.test(ended.stderr.trimEnd());
  if (!isUnread) return ended;
  return variableArguments(wish).length > 0 ? null : run(socketPath, commandArguments(commands), bounds);
}

/** What tmux before 3.2 says of a file with that name. */
const NO_INPUT = /^(?:-: No such file or directory|No such file or directory: -)$/;

type HookCommands = (pane: string) => string[][];

function startCommands(
  wish: SessionWish,
  nonce: string,
  hook: HookCommands,
  place: EndPlace | undefined,
): string[][] {
  const { name, cwd, size, stamp } = wish;
  const start = [
    ...['new-session', '-d', '-P', '-F', startedFormat(nonce)],
    ...['-s', literal(name), '-c', literal(cwd)],
    ...(size === undefined ? [] : ['-x', String(size.columns), '-y', String(size.rows)]),
    ...variableArguments(wish),
    ...programArguments(wish),
  ];
  // With -d, the commands behind it are about any session, so this one is named; the name alone is no proof of it.
  const target = `=${storedName(name)}:`;
  // The hook comes last: a tmux that has none for panes still gets all the rest.
  const settings = [
    ...settingCommands(target, target, wish),
    ['display-message', '-p', `${nonce}set`],
    ...hook(target),
  ];
  const isOurs = `#{m:*ROLLCALL_RUN=${stamp.run}*,#{pane_start_command}}`;
  const mark = place === undefined ? [] : markCommands(place, stamp.run);
  return [start, ['if-shell', '-F', '-t', target, isOurs, commandText(settings)], ...mark];
}

function settingCommands(session: string, pane: string, { stamp, remain }: SessionWish): string[][] {
  return [
    ['set-option', '-t', session, 'destroy-unattached', 'off'],
    ['set-option', '-t', session, SESSION_RUN, stamp.run],
    ...(remain ? [['set-option', '-p', '-t', pane, 'remain-on-exit', 'on']] : []),
    ...stampCommands(pane, stamp),
  ];
}

/** As tmux 3.3 keeps a name. A version that keeps it otherwise is told once more, by the ids. */
function storedName(name: string): string {
  return name
    .replace(/[:.]/g, '_')
    .replaceAll('\\', '\\\\')
    .replace(/\$(?=[A-Za-z_{])/g, '\\$');
}

async function setByIds(reach: Reach, running: Running, wish: SessionWish, hook: HookCommands) {
  const { server, sessionId, createdAtSeconds, paneId, pid } = running;
  const session = { server: { startTicks: 0, ...server }, sessionId, createdAtSeconds };
  const pane = { session, paneId, pid };
  const settings = (target: string) => settingCommands(`${sessionId}:`, target, wish);
  const acted = await actInPane(reach, pane, settings);
  if (acted.state !== 'done')
    return failed(`session ${sessionId} was started, but not marked: ${acted.text}`);
  if (hook('').length > 0) await actInPane(reach, pane, hook);
  return running;
}

function notStarted(ended: TmuxRun, socketPath: string): StartedSession {
  const complaint = ended.ended === 'exit' ? ended.stderr.trimEnd() : '';
  if (complaint.startsWith('duplicate session: ')) {
    return { state: 'name-taken', text: visible(complaint, 500) };
  }
  const answer = readNoAnswer(ended, socketPath);
  return failed(answer.state === 'absent' ? complaint : answer.text);
}

/**
 * Prepares the place where a server may have to be started. tmux makes and checks its own socket folder only when it is
 * called by a label, so this does it the same way: somebody else's folder would hand the session to somebody else.
 */
function openSocketFolder(path: string, uid: number): SocketPlace {
  const folder = dirname(path);
  if (basename(folder) === `tmux-${uid}`) {
    makeFolder(folder);
    const refused = findSockets(folder, uid).find(({ state }) => state === 'failed');
    if (refused !== undefined) return refused;
  }
  return inspectSocket(path, uid);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // There already; whatever else it is, tmux says when it binds its socket.
  }
}
