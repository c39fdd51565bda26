import { constants } from 'node:os';
import type { HoldingProcess, LockSighting } from '../../core/lock/sighting.ts';
import { isLockName, type LockSubject, RUNNER_NAME } from '../../core/lock/subject.ts';
import { parseDuration, spoken } from '../../core/text/duration.ts';
import { visible } from '../../core/text/visible.ts';
import { Failure } from '../../operations/failure.ts';
import type { LockDesk, LockOutcome, RunnerEnd } from '../../ports/lock.ts';
import { defineCommand } from '../frame/command.ts';
import { word } from '../frame/flags.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { PROGRAM_WORDS, requireProgram } from '../run/program-words.ts';
import { holdingText, lockTitle, processText, recoveryHint } from './holding.ts';

/** A program that could not be started, with the exit codes that shells use for it. */
class StartFailure extends Failure {
  readonly #isMissing: boolean;

  constructor(program: string, code: string, text: string) {
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    super('failed', `${program} could not be started: ${isMissing ? 'not found' : text}`, {
      hint: isMissing ? 'see whether it is installed and on PATH' : 'see whether it may be executed',
    });
    this.#isMissing = isMissing;
  }

  override get exitCode(): number {
    return this.#isMissing ? 127 : 126;
  }
}

export const lockCommand = defineCommand({
  name: 'lock',
  summary: 'Run a program that may run only once per project.',
  usage: ['rollcall lock [--project DIR] [--wait TIME] [flags] -- PROGRAM [ARGUMENT…]'],
  description: [
    'Takes the lock of the project, runs the program in the foreground, and ends with its exit code (128 and the signal’s number if a signal ended it). While it runs, another rollcall lock of the same project ends with exit code 7 and says who runs. Other projects are not affected.',
    'The project is the folder, or the root of the repository around it, with all links resolved. A linked worktree is a project of its own. Locks are per user and host; --name separates several locks of one project.',
    'The kernel releases the lock, so there is never anything to clean up: not after a crash, a SIGKILL or a reboot. The program gets the lock as an open file (its number is in $ROLLCALL_LOCK_FD, usually 8), so the lock stays as long as the program does, even if rollcall itself is killed. What the program starts inherits it too: a daemon that is meant to stay after the program has to be started without it, for instance daemon 8>&- in a shell. rollcall lock status shows who holds a lock.',
    'TERM, HUP, WINCH, CONT, USR1 and USR2 are sent on to the program, INT and QUIT too unless the terminal sent them already: in the foreground of a terminal, an INT for rollcall’s own pid alone is not sent on. Node undoes nohup; for a program that has to survive its terminal write setsid rollcall lock ….',
    'A program that is not found ends with 127, one that cannot be executed with 126.',
  ],
  flags: {
    project: word('DIR', 'A folder of the project; the current one otherwise.', { isFile: true }),
    name: word('N', 'Which of several locks of the project.', { default: RUNNER_NAME }),
    task: word('T', 'What the program works on, for others to read.'),
    wait: word('TIME', 'Wait for the lock at most that long, such as 30s or 10m.'),
  },
  positional: PROGRAM_WORDS,
  examples: {
    'rollcall lock -- ./run-agents.sh': 'at most one in this project',
    'rollcall lock --task ISSUE-12 --wait 10m -- make deploy': 'wait for the other one',
    'rollcall lock --project ~/shop --name tests -- npm test': 'another lock of a project',
    'rollcall lock status': 'who holds what',
  },
  exits: {
    done: 'the program ended with 0; any other code of the program is passed on',
    failed: 'there are no locks to be had, for instance on a network file system',
    usage: 'no program behind --, or a wrong flag',
    'not-found': 'the project’s folder does not exist',
    'lock-held': 'the lock is held; pid, task and since when are named',
  },
  run: async ({ flags, words, surroundings }) => {
    requireProgram('lock', words, surroundings.argv, ', or rollcall lock status');
    const name = flags.name ?? RUNNER_NAME;
    checkName(name);
    const timeoutMs = waitOf(flags.wait);
    const desk = await surroundings.lockDesk();
    const subject = { name, project: rootOf(desk, flags.project) };
    const claim = { task: flags.task ?? null, argv: words };
    const taken =
      timeoutMs === 0
        ? desk.locks.tryLock(subject, claim)
        : await desk.locks.waitForLock(subject, claim, {
            timeoutMs,
            onWait: (by, waitedMs) =>
              surroundings.stderr.write(waitingText(by, waitedMs, timeoutMs, surroundings)),
          });
    if (taken.state !== 'held') throw noLock(taken, surroundings.now());
    const { end, leftBehind } = await desk.run(taken.hold, words, surroundings.onSignal);
    if (leftBehind.length > 0) surroundings.stderr.write(leftBehindText(subject, leftBehind));
    return exitCodeOf(end, words[0] ?? '');
  },
});

/** The canonical root, or the failure that says which folder is missing. */
export function rootOf(desk: LockDesk, folder: string | undefined): string {
  const root = desk.projectRoot(folder);
  if (root.state === 'found') return root.path;
  throw new Failure('not-found', root.text, { hint: 'name a folder of the project with --project DIR' });
}

/** A name that may be part of a file's, or the failure that says how it has to be. */
export function checkName(name: string, flag = 'name'): void {
  if (isLockName(name)) return;
  throw new Failure('usage', `--${flag} cannot be '${name}'`, {
    hint: 'use up to 48 letters, digits, dots, dashes and underscores, beginning with a letter or digit',
  });
}

function waitOf(text: string | undefined): number {
  const waitMs = text === undefined ? 0 : parseDuration(text);
  if (waitMs !== null) return waitMs;
  throw new Failure('usage', `--wait cannot be '${text}'`, {
    hint: 'write a time such as 500ms, 30s, 10m or 2h',
  });
}

/** The failure that says who holds the lock, or why there is none. */
export function noLock(taken: Exclude<LockOutcome, { state: 'held' }>, now: number): Failure {
  if (taken.state === 'failed') return new Failure('failed', taken.text, { hint: taken.hint });
  const { by } = taken;
  return new Failure('lock-held', `${lockTitle(by)} is held by ${holdingText(by, now)}`, {
    details: (by.heldBy ?? []).map(processText),
    hint: recoveryHint(by),
  });
}

function waitingText(by: LockSighting, waitedMs: number, timeoutMs: number, { now }: Surroundings): string {
  const so = waitedMs < 1000 ? `at most ${spoken(timeoutMs)}` : `${spoken(waitedMs)} of ${spoken(timeoutMs)}`;
  return `rollcall: ${visible(`waiting (${so}) for ${lockTitle(by)}, held by ${holdingText(by, now())}`)}\n`;
}

// Said at once, because the next start would be refused and nobody would think of this.
function leftBehindText(subject: LockSubject, processes: readonly HoldingProcess[]): string {
  const lines = processes.map((process) => `  ${visible(processText(process))}\n`);
  return `rollcall: ${visible(lockTitle(subject))} stays held by what the program left running:\n${lines.join('')}`;
}

function exitCodeOf(end: RunnerEnd, program: string): number {
  if (end.state === 'exited') return end.exitCode;
  if (end.state === 'killed') return 128 + constants.signals[end.signal];
  throw new StartFailure(program, end.code, end.text);
}
