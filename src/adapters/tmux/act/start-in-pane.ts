import { visible } from '../../../core/text/visible.ts';
import type { PaneTarget, PaneWish, StartedInPane, Terms } from '../../../ports/actuator.ts';
import { createNonce } from '../nonce.ts';
import { actIf, type Reach } from './act-if.ts';
import { endHookCommands, heldEndCommands } from './end-hook.ts';
import { isPane, paneAddress, paneFacts } from './facts.ts';
import { folderProblem } from './folder-problem.ts';
import { programArguments, variableArguments, wishProblem } from './program.ts';
import { stampCommands } from './stamp.ts';
import { stanceFacts } from './stance.ts';
import { readStarted, serverOnlyVariables, startedFormat } from './started.ts';
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
  const problem = wishProblem(wish) ?? (await (reach.folderProblem ?? folderProblem)(wish.cwd));
  if (problem !== null) return failed(problem);
  const { socketPath } = pane.session.server;
  const strangers = await serverOnlyVariables(reach.run, socketPath, wish);
  const nonce = createNonce();
  const target = paneAddress(pane);
  const whole = { ...wish, withoutEnv: [...wish.withoutEnv, ...strangers] };
  const commands = [
    [
      'respawn-pane',
      '-k',
      '-t',
      target,
      '-c',
      literal(wish.cwd),
      ...variableArguments(whole),
      ...programArguments(whole),
    ],
    ...settingCommands(reach, target, socketPath, wish),
    ['display-message', '-p', '-t', target, startedFormat(nonce)],
  ];
  const facts = [...stood, ...paneFacts(pane)];
  const acted = await actIf(reach, { socketPath, target, facts, commands, isPrivate: true });
  if (acted.state === 'too-long') return failed('tmux printed more than was asked');
  if (acted.state !== 'done') return acted;
  return (
    readStarted(acted.printed.toString('utf8'), socketPath, nonce) ??
    failed('tmux did not tell what it started')
  );
}

function settingCommands(
  { ends }: Reach,
  target: string,
  socketPath: string,
  { remain, stamp, isKept = false, isUnrecorded }: PaneWish,
): string[][] {
  if (isUnrecorded) return [...stampCommands(target, stamp), ...heldEndCommands(target)];
  return [
    ...(remain ? [['set-option', '-p', '-t', target, 'remain-on-exit', 'on']] : []),
    ...stampCommands(target, stamp),
    ...(ends === undefined ? [] : endHookCommands(target, { ...ends, socketPath, run: stamp.run, isKept })),
  ];
}

function failed(text: string): Extract<StartedInPane, { state: 'failed' }> {
  return { state: 'failed', text: visible(text, 600) };
}
