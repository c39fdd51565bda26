import { resolve } from 'node:path';
import type { Wish } from '../contract/operations.ts';
import { CLAIMS } from '../core/ledger/current-facts.ts';
import { programName } from '../core/sight/program.ts';
import { visible } from '../core/text/visible.ts';
import { callerEnvironment, OWN_VARIABLES } from '../engine/act/caller-environment.ts';
import type { Hands } from '../engine/act/hands.ts';
import { prepareAgent, type RunWish } from '../engine/act/run-wish.ts';
import { Failure } from './failure.ts';

/** Checks all that was said and makes one wish of it. `behind` puts the program behind another. */
export function toRunWish(
  hands: Hands,
  here: string,
  asked: Wish<'run'>,
  behind: (argv: readonly string[], cwd: string) => readonly string[] = (argv) => argv,
): RunWish {
  const { program } = asked;
  if (program.length === 0) throw new Failure('usage', 'run needs a program', { hint: 'name it' });
  const cwd = resolve(here, asked.cwd ?? '.');
  const started = asked.plain ? { argv: program, agent: null } : prepareAgent(hands.agents, program);
  const name = asked.name ?? programName(program[0] ?? '');
  checkSessionName(name, asked.name !== undefined);
  const claims = CLAIMS.flatMap((claim) => (asked[claim] === undefined ? [] : [[claim, asked[claim]]]));
  return {
    ...started,
    argv: behind(started.argv, cwd),
    socketPath: hands.socketOf(asked.server),
    name,
    // A name that nobody chose gives way to one that is taken.
    onCollision: asked.onCollision ?? (asked.name === undefined ? 'suffix' : 'fail'),
    cwd,
    env: variablesIn(asked.env ?? [], hands),
    ...(!asked.cleanEnv && { caller: callerEnvironment(hands.callerEnv) }),
    claims: Object.fromEntries(claims) as RunWish['claims'],
    remain: asked.remain ?? false,
  };
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
