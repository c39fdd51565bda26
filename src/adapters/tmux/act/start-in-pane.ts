import type { PaneTarget, PaneWish, StartedInPane, Terms } from '../../../ports/actuator.ts';
import { createNonce } from '../run-tmux.ts';
import { actInPane, type Reach } from './act-if.ts';
import { isPane } from './facts.ts';
import { stampCommands } from './own-marks.ts';
import { programArguments, variableArguments, wishProblem } from './program.ts';
import { stanceFacts } from './stance.ts';
import { endCommands, failed, readStarted, serverOnlyVariables, startedFormat } from './started.ts';
import { literal } from './words.ts';

/**
 * Starts a program in a pane that is there. tmux compares the pane's process in the command that ends it, so that nothing
 * else is ever ended; with terms, the whole session has to stand as it stood. The variables come over the client's input,
 * as for a new session; the session keeps its own options.
 */
export async function startInPane(
  reach: Reach,
  pane: PaneTarget,
  wish: PaneWish,
  terms?: Terms,
): Promise<StartedInPane> {
  const stood = terms === undefined ? [] : stanceFacts(terms, reach.timeoutMs);
  if (!isPane(pane) || stood === null) return failed('these are not ids of tmux');
  const problem = wishProblem(wish) ?? (await reach.folderProblem(wish.cwd));
  if (problem !== null) return failed(problem);
  const { socketPath } = pane.session.server;
  const strangers = await serverOnlyVariables(reach.run, socketPath, wish);
  const nonce = createNonce();
  const whole = { ...wish, withoutEnv: [...wish.withoutEnv, ...strangers] };
  const program = ['-c', literal(wish.cwd), ...variableArguments(whole), ...programArguments(whole)];
  const commands = (target: string) => [
    ['respawn-pane', '-k', '-t', target, ...program],
    ...settingCommands(target, wish),
    ...endCommands(target, socketPath, wish, reach.ends),
    ['display-message', '-p', '-t', target, startedFormat(nonce)],
  ];
  const acted = await actInPane(reach, pane, commands, { facts: stood, isPrivate: true });
  if (acted.state !== 'done') return acted;
  return (
    readStarted(acted.printed.toString('utf8'), socketPath, nonce) ??
    failed('tmux did not tell what it started')
  );
}

function settingCommands(target: string, { remain, stamp, isUnrecorded }: PaneWish): string[][] {
  const kept = remain && !isUnrecorded ? [['set-option', '-p', '-t', target, 'remain-on-exit', 'on']] : [];
  return [...kept, ...stampCommands(target, stamp)];
}
