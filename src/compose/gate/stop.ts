import { spawn } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { OnStep } from '../../engine/act/hands.ts';
import { APPROVED, type StopAnswer } from '../../engine/gate/parts.ts';
import { LATER_LIMIT_MS, type StopRequest, settleLater, stopGate } from '../../engine/gate/stop-gate.ts';
import type { LaterStops } from '../../ports/gate.ts';
import { ownStateFolder, withUserPath } from '../system/own-user.ts';
import { stopPartsOf } from './stop-parts.ts';

const LOOK_EVERY_MS = 200;
/** For what was ended to be recorded. */
const LAST_MS = 10_000;
const NAME = /^[0-9A-Za-z][0-9A-Za-z.]{0,98}$/;

/** Answers a hook. Where it waits no longer, what runs for it is ended, and so is this. */
export async function answerStop(
  env: NodeJS.ProcessEnv,
  request: StopRequest,
  onStep?: OnStep,
): Promise<StopAnswer> {
  const { folder, name, phase } = request;
  const own = environmentOf(env, folder);
  if (own === null || !NAME.test(name)) return APPROVED;
  const ending = new AbortController();
  const way = {
    ...{ folder, phase, signal: ending.signal, onStep },
    startLater: (id: string) => startLater(env, folder, id),
  };
  const parts = stopPartsOf(own, way);
  const end = () => ending.abort();
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  const watch = setInterval(() => {
    if (!parts.isAwaited()) end();
  }, LOOK_EVERY_MS);
  try {
    if (phase !== 'later') return await stopGate(parts, { name, phase });
    await inTurn(join(folder, 'later'), name, parts.later, () =>
      bounded(end, () => settleLater(parts, name)),
    );
    return APPROVED;
  } finally {
    clearInterval(watch);
    for (const signal of signals) process.off(signal, end);
  }
}

// The agent may have another state folder in its environment than the one whose hook it runs.
function environmentOf(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv | null {
  const state = dirname(folder);
  if (!isAbsolute(folder) || basename(folder) !== 'gate' || basename(state) !== 'rollcall') return null;
  const own = { ...env, XDG_STATE_HOME: dirname(state) };
  // Looked for first, since opening the state folder would make it.
  const isThere = lstatSync(join(folder, 'stops'), { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isThere && ownStateFolder(own).state === 'ready' ? own : null;
}

// In a session of its own and with nothing of the hook's open: agents wait until the last one has closed their pipe.
function startLater(env: NodeJS.ProcessEnv, folder: string, contract: string): void {
  const [node, program = ''] = process.argv;
  const child = spawn(node ?? process.execPath, [program, '__stop', folder, contract, 'later'], {
    ...{ cwd: '/', env: withUserPath(env), detached: true, stdio: 'ignore' },
  });
  // What waits is looked at with the next stop.
  child.on('error', () => {});
  child.unref();
}

/** One process for a contract at a time; whoever comes while another is at it leaves it the work. */
async function inTurn(
  folder: string,
  contract: string,
  later: LaterStops,
  work: () => Promise<void>,
): Promise<void> {
  const { takeTurn } = await import('../../adapters/files/lock-file.ts');
  later.forget();
  // Somebody may have left one between the last look and the end of the turn, and gone again.
  do {
    const leave = takeTurn(join(folder, `${contract}.lock`));
    if (leave === null) return;
    try {
      await work();
    } finally {
      leave();
    }
  } while (later.isWaiting(contract));
}

/** Ends by itself, whatever hangs. */
async function bounded(end: () => void, work: () => Promise<void>): Promise<void> {
  const timers = [
    setTimeout(end, LATER_LIMIT_MS),
    setTimeout(() => process.exit(0), LATER_LIMIT_MS + LAST_MS),
  ];
  try {
    await work();
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}
