import type { Actor } from './actor.ts';
import { CHANGING } from './actor.ts';
import { isRunning, terminalProcessesBelow } from './marked-processes.ts';
import type { PrivateTmux } from './private-tmux.ts';
import { hold, turnEnd } from './turns.ts';
import { NotReached, until } from './until.ts';

/** The ways an agent ends; each has a session of its own. */
export const EXITS = ['own-command', 'sigterm', 'sighup', 'sigkill', 'kill-session'] as const;
export type Exit = (typeof EXITS)[number];

/** Ends the agent and holds what it left: nothing may be told of a dead agent but that it is gone. */
export async function exitBy(exit: Exit, actor: Actor, tmux: PrivateTmux, holdMs: number): Promise<void> {
  const working = {
    state: 'working: silent before the first token',
    activity: 'working',
    mayClose: false,
  } as const;
  // A killed agent leaves behind what it said last, which is worst when it was at work.
  if (exit === 'sigkill') {
    await actor.order('silent', '60', working);
    await hold(3000);
  } else {
    const tag = await actor.order('done', '', { ...working, state: 'working: short turn' });
    actor.mark({ state: 'idle: after a turn', activity: 'idle', mayClose: true }, await turnEnd(actor, tag));
  }
  const processes = terminalProcessesBelow(actor.panePid());
  actor.mark(CHANGING);
  if (exit === 'own-command') await actor.submit(actor.specimen.exitCommand);
  else if (exit === 'kill-session') tmux.run('kill-session', '-t', `=${actor.session}`);
  else for (const pid of processes) send(pid, exit.toUpperCase() as NodeJS.Signals);
  // An agent may outlive its session; then it is no longer in tmux, which is all that is asked here.
  const isGone = () => exit === 'kill-session' || processes.every((pid) => !isRunning(pid));
  if (!(await until(isGone, 15_000))) throw new NotReached('the agent did not end');
  actor.mark({ state: `gone: ${exit}`, activity: 'gone', mayClose: true });
  await hold(holdMs);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Went with its parent.
  }
}
