import type { ClosingPane } from '../../../core/close/closing-pane.ts';
import { whyNotAsk } from '../../../core/close/ladder.ts';
import { findTyped, type Shown, type TypedState } from '../../../core/close/typed.ts';
import type { ProcessNote } from '../../../core/evidence.ts';
import type { PaneTarget } from '../../../ports/actuator.ts';
import type { Hands } from '../hands.ts';
import type { Subject } from './look-at.ts';
import { livingOf, untilGone } from './processes.ts';
import type { DoStep } from './steps.ts';
import type { CloseTimings } from './timings.ts';

/** What came of asking one agent to leave. */
export type Asked =
  | { readonly state: 'left'; readonly text: string }
  | { readonly state: 'skipped'; readonly text: string }
  /** It was asked and is still there. */
  | { readonly state: 'stayed'; readonly text: string }
  /** Somebody else is typing: nothing more may be done. */
  | { readonly state: 'disturbed'; readonly text: string };

interface Asking {
  readonly hands: Hands;
  readonly subject: Subject;
  readonly step: DoStep;
  readonly timings: CloseTimings;
}

/** Types an agent's own exit into its ready, empty prompt, sees it there, and only then presses Enter. */
export async function askToLeave(asking: Asking, pane: ClosingPane): Promise<Asked> {
  const { hands, subject, step, timings } = asking;
  const { agent } = pane;
  const command = hands.agents.find(({ kind }) => kind === agent?.agentKind)?.exit?.command;
  const objection = whyNotAsk(pane, command);
  if (objection !== null || agent === null || command === undefined) {
    return { state: 'skipped', text: objection ?? '' };
  }
  const target = { session: subject.target, paneId: pane.paneId, pid: pane.pid };
  const before = await screenOf(hands, target);
  if (before === null) return { state: 'skipped', text: 'its screen cannot be seen' };
  const typed = await step('type', () => hands.tmux.type(target, command));
  if (typed.state === 'changed') return { state: 'skipped', text: typed.text };
  const seen = await untilTyped(asking, target, before, command);
  if (seen === 'behind-text') {
    await takeBack(hands, target, command);
    return {
      state: 'disturbed',
      text: 'something else was typed at the same time; what was ours is taken back',
    };
  }
  if (seen === 'not-seen') return { state: 'stayed', text: `'${command}' was typed and did not show` };
  // What stands on the screen was typed to the agent, and not to a shell that came after it.
  if (livingOf(hands, [agent]).length === 0) {
    await takeBack(hands, target, command);
    return { state: 'left', text: 'it left by itself' };
  }
  const entered = await step('enter', () => hands.tmux.press(target, 'Enter'));
  if (entered.state === 'changed') return { state: 'stayed', text: entered.text };
  const left = await untilGone(hands, chainOf(pane), timings.askMs, timings);
  return left.length === 0
    ? { state: 'left', text: `it left at '${command}'` }
    : { state: 'stayed', text: `it was told '${command}' and is still there` };
}

/** The agent, and those of its kind that launched it. */
export function chainOf({ agent, launchers }: ClosingPane): ProcessNote[] {
  return agent === null ? [] : [agent, ...launchers];
}

async function untilTyped(
  { hands, timings }: Asking,
  target: PaneTarget,
  before: Shown,
  command: string,
): Promise<TypedState> {
  const endsAt = hands.now() + timings.typedMs;
  for (;;) {
    const shown = await screenOf(hands, target);
    const state = shown === null ? 'not-seen' : findTyped(before, shown, command);
    if (state !== 'not-seen' || hands.now() >= endsAt) return state;
    await hands.wait(timings.pollMs);
  }
}

async function takeBack(hands: Hands, target: PaneTarget, command: string): Promise<void> {
  for (let left = command.length; left > 0; left -= 1) {
    if ((await hands.tmux.press(target, 'BSpace')).state !== 'done') return;
  }
}

async function screenOf(hands: Hands, { session, paneId }: PaneTarget): Promise<Shown | null> {
  const [screen] = await hands.screens.capture(session.server.socketPath, [paneId]);
  return screen?.state === 'captured' ? screen : null;
}
