import { resolve } from 'node:path';
import { RUNNER_NAME } from '../../core/lock/subject.ts';
import { programName } from '../../core/sight/program.ts';
import { visible } from '../../core/text/visible.ts';
import { callerEnvironment, OWN_VARIABLES } from '../../engine/act/caller-environment.ts';
import type { Hands } from '../../engine/act/hands.ts';
import type { RunWish } from '../../engine/act/run-wish.ts';
import { prepareAgent } from '../../engine/act/run-wish.ts';
import { Failure } from '../../operations/failure.ts';
import { claimsIn } from '../declare/claim-flags.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { checkName, noLock, rootOf } from '../lock/lock.ts';
import { serverWords } from '../roll/take-roll.ts';

/** The flags of `run` that say what is to be started. */
export interface RunFlags extends Readonly<Record<keyof RunWish['claims'], string | undefined>> {
  readonly name: string | undefined;
  readonly cwd: string | undefined;
  readonly env: readonly string[];
  readonly 'clean-env': boolean;
  readonly server: readonly string[];
  readonly lock: boolean;
  readonly 'lock-name': string | undefined;
  readonly remain: boolean;
  readonly plain: boolean;
  readonly 'on-collision': 'fail' | 'suffix' | undefined;
}

/** Checks all that was said and makes one wish of it. */
export function toRunWish(
  hands: Hands,
  surroundings: Surroundings,
  flags: RunFlags,
  words: readonly string[],
): RunWish {
  const cwd = resolve(surroundings.cwd, flags.cwd ?? '.');
  const started = flags.plain ? { argv: words, agent: null } : prepareAgent(hands.agents, words);
  const name = flags.name ?? programName(words[0] ?? '');
  checkSessionName(name, flags.name !== undefined);
  return {
    ...started,
    argv: flags.lock ? behindLock(surroundings, flags, cwd, started.argv) : started.argv,
    socketPath: hands.socketOf(oneServer(serverWords(flags.server, surroundings))),
    name,
    // A name that nobody chose gives way to one that is taken.
    onCollision: flags['on-collision'] ?? (flags.name === undefined ? 'suffix' : 'fail'),
    cwd,
    env: variablesIn(flags.env, hands),
    ...(!flags['clean-env'] && { caller: callerEnvironment(hands.callerEnv) }),
    claims: claimsIn(flags),
    remain: flags.remain,
  };
}

/** Asks for the project's lock before anything is started; the program takes it itself, in its pane. */
export async function requireFreeLock(
  surroundings: Surroundings,
  flags: RunFlags,
  cwd: string,
): Promise<void> {
  const desk = await surroundings.lockDesk();
  const name = flags['lock-name'] ?? RUNNER_NAME;
  checkName(name, 'lock-name');
  const taken = desk.locks.tryLock(
    { name, project: rootOf(desk, cwd) },
    { task: flags.task ?? null, argv: [] },
  );
  if (taken.state !== 'held') throw noLock(taken, surroundings.now());
  taken.hold.release();
}

// tmux starts what runs in a pane, so no descriptor of this process reaches it; behind `rollcall lock` it gets its own.
function behindLock(
  { self }: Surroundings,
  flags: RunFlags,
  cwd: string,
  argv: readonly string[],
): readonly string[] {
  const task = flags.task === undefined ? [] : [`--task=${flags.task}`];
  const name = flags['lock-name'] ?? RUNNER_NAME;
  return [...self, 'lock', `--project=${cwd}`, `--name=${name}`, ...task, '--', ...argv];
}

function oneServer(servers: readonly string[]): string | undefined {
  if (servers.length > 1) {
    throw new Failure('usage', 'a session is started on one server', { hint: 'give --server once' });
  }
  return servers[0];
}

const LONGEST_NAME = 500;

function checkSessionName(name: string, isGiven: boolean): void {
  const isFit =
    name !== '' && name.length <= LONGEST_NAME && visible(name, Number.POSITIVE_INFINITY) === name;
  if (isFit) return;
  const hint = isGiven
    ? `use up to ${LONGEST_NAME} characters, and no control characters`
    : 'give the session a --name';
  throw new Failure('usage', `a session cannot be called '${visible(name, 80)}'`, { hint });
}

// A name alone stands for the caller's own value, which then stands in no command line. No text repeats a value.
function variablesIn(
  given: readonly string[],
  { callerEnv, brokenVariables }: Pick<Hands, 'callerEnv' | 'brokenVariables'>,
): Readonly<Record<string, string>> {
  const pairs = given.map((text) => {
    const [name = '', ...rest] = text.split('=');
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      const hint = 'write --env NAME=VALUE, or --env NAME for the value that it has here';
      throw new Failure('usage', `--env=${visible(name, 80)} is no variable`, { hint });
    }
    if (OWN_VARIABLES.has(name)) {
      throw new Failure('usage', `--env cannot set ${name}`, { hint: 'every session gets its own' });
    }
    const value = rest.length === 0 ? callerEnv[name] : rest.join('=');
    if (value === undefined) {
      const why = brokenVariables.includes(name)
        ? 'its value is not UTF-8'
        : 'there is no such variable here';
      throw new Failure('usage', `--env ${name}: ${why}`, {
        hint: `set it before, or write --env ${name}=VALUE`,
      });
    }
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}
