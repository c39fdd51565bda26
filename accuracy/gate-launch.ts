import type { Actor } from './actor.ts';
import { reachPrompt } from './reach-prompt.ts';
import { NotReached, until, wait } from './until.ts';

const HOOK_REVIEW = /Hooks need review/;
/** The list that a key which came too early opens instead. */
const HOOK_LIST = /t trust all/;

/** Starts an agent at a shell's prompt and answers what it asks, until its own prompt stays. */
export async function launchAt(actor: Actor, command: string, isFirst: boolean): Promise<void> {
  if (!(await until(async () => /[$#] *$/m.test(await actor.screen()), 10_000)))
    throw new NotReached('the shell did not come up');
  await actor.submit(command);
  // New hooks are reviewed once in a home, and that may come seconds after the prompt.
  if (isFirst && actor.specimen.atStart.length > 0) await trustHooks(actor);
  await reachPrompt(actor).catch(async (error) => {
    const lines = (await actor.screen()).split('\n').filter((line) => line.trim() !== '');
    throw new NotReached(`${error.message}: ${lines.slice(-12).join(' ⏎ ')}`);
  });
}

async function trustHooks(actor: Actor): Promise<void> {
  const isThere = async (pattern: RegExp) => pattern.test(await actor.screen());
  if (!(await until(() => isThere(HOOK_REVIEW), 60_000)))
    throw new NotReached('no hooks were to be reviewed');
  // What is pressed while a dialog is being built is lost.
  await wait(1000);
  await actor.keys(['2']);
  await wait(700);
  if (await isThere(HOOK_REVIEW)) await actor.keys(['Enter']);
  await wait(700);
  if (await isThere(HOOK_LIST)) await actor.keys(['t', 'Escape']);
}
