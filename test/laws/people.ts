import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import type { World } from './world.ts';

const SHIFTED = fileURLToPath(new URL('./shifted-clock.cjs', import.meta.url));

/** The environment of a rollcall whose clocks are ahead: `passedMs` went by on all of them, `stepMs` is a step of the wall clock. */
export function ahead({ passedMs = 0, stepMs = 0 }): NodeJS.ProcessEnv {
  return {
    NODE_OPTIONS: `--require=${SHIFTED}`,
    PASSED_MS: String(passedMs),
    STEP_MS: String(stepMs),
  };
}

/** A session of rollcall's whose program has ended well: nothing but what the law protects stands against closing it. */
export async function finished(world: World, name: string): Promise<void> {
  const argv = world.agents.argv(name, 'leaves');
  const ran = await world.ask(['run', '--remain', '--name', name, '--', ...argv]);
  expect([ran.stderr, ran.exitCode]).toEqual(['', 0]);
  await world.agents.pid(name);
  await world.tmux('send-keys', '-t', `=${name}:`, '/exit', 'Enter');
  await world.untilEnded(name);
}

/** Which protections a session has. */
export async function protectionsOf(world: World, name: string, env: NodeJS.ProcessEnv = {}) {
  return (await world.entry(name, env)).protections.map(({ code }) => code);
}

/** Closes what is due, and says which sessions stand. */
export async function closeDue(world: World, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  await world.rollcall(['close', '--due'], env);
  return world.names();
}

/** Closes what is due until one session is gone: on a slow machine a close may give up, and says so, before it does anything. */
export async function untilClosed(world: World, name: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const isGone = async () => !(await closeDue(world, env)).includes(name);
  await until(`${name} is closed`, isGone);
}
