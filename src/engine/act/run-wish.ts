import type { Claims } from '../../core/ledger/current-facts.ts';
import type { JsonObject } from '../../core/ledger/json.ts';
import { maskWords } from '../../core/text/mask-secrets.ts';
import type { CallerEnvironment, PaneStamp, SessionWish } from '../../ports/actuator.ts';
import type { AgentAdapter } from '../../ports/agent.ts';
import { leakedBeside } from './caller-environment.ts';

/** A session that somebody wants to have started. */
export interface RunWish {
  /** Of the tmux server, in its real spelling. */
  readonly socketPath: string;
  readonly name: string;
  readonly onCollision: 'fail' | 'suffix';
  readonly cwd: string;
  readonly argv: readonly string[];
  /** Given for this session; their names are recorded. */
  readonly env: Readonly<Record<string, string>>;
  /** Those of them that somebody gave; all of them where it is absent. */
  readonly given?: Readonly<Record<string, string>>;
  /** Nothing of it is recorded. Absent: the program has the environment of its tmux server. */
  readonly caller?: CallerEnvironment;
  readonly claims: Partial<Claims>;
  readonly remain: boolean;
  /** Which agent it is, and the conversation that was chosen for it. */
  readonly agent: { readonly kind: string; readonly conversation: string | null } | null;
}

/** Finds the agent that a command line starts, and lets its adapter make it identifiable. */
export function prepareAgent(
  agents: readonly AgentAdapter[],
  argv: readonly string[],
): Pick<RunWish, 'argv' | 'agent'> {
  const adapter = agents.find((one) => one.recognises(argv));
  if (adapter === undefined) return { argv, agent: null };
  const prepared = adapter.prepare?.(argv) ?? { argv };
  const agent = { kind: adapter.kind, conversation: prepared.conversation ?? null };
  return { argv: prepared.argv, agent };
}

/** What tmux is asked for. The pane is kept at first, so that a program that ends at once can be told of. */
export function toSessionWish(wish: RunWish, name: string, run: string): SessionWish {
  const { cwd, argv, env, caller } = wish;
  return {
    name,
    cwd,
    argv,
    env,
    ...(caller && { caller }),
    withoutEnv: leakedBeside(env),
    stamp: stampOf(wish.claims, run),
    remain: true,
    isKept: wish.remain,
  };
}

export function stampOf({ owner, role, task }: Partial<Claims>, run: string): PaneStamp {
  return { run, owner: owner ?? NO_OWNER, role: role ?? null, task: task ?? null };
}

const NO_OWNER = 'rollcall';
const MOST_WORDS = 200;
const LONGEST_WORD = 1000;

/**
 * What is recorded before anything is done. Values of variables may be secret; their names are not. Of arguments, what
 * looks like a secret is masked: then they are not whole, and nobody starts the session again by them.
 */
export function intentBody(wish: RunWish, run: string): JsonObject {
  const argv = maskWords(wish.argv.slice(0, MOST_WORDS)).map((word) => word.slice(0, LONGEST_WORD));
  const isWhole = argv.length === wish.argv.length && argv.every((word, index) => word === wish.argv[index]);
  return {
    run,
    server: { socketPath: wish.socketPath },
    cwd: wish.cwd,
    argv,
    isWhole,
    env: Object.keys(wish.env),
    claims: { ...wish.claims },
    remain: wish.remain,
    agent: wish.agent && { ...wish.agent },
  };
}
