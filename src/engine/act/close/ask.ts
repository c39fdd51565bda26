import type { ClosingPane } from '../../../core/close/closing-pane.ts';
import { whyNotAsk } from '../../../core/close/ladder.ts';
import {
  findTyped,
  isSameInput,
  isSameScreen,
  isTypedAlready,
  type Shown,
} from '../../../core/close/typed.ts';
import type { ProcessNote } from '../../../core/verdict/evidence.ts';
import type { PaneTarget, SetAside, Stance, Terms } from '../../../ports/actuator.ts';
import { awake, type Hands } from '../hands.ts';
import { inOneStep, type Stepping, setAside, type WithheldStep } from './one-step.ts';
import { livingOf, untilGone } from './processes.ts';
import type { Climb } from './taken.ts';

/** What came of asking one agent to leave. */
export type AskOutcome =
  | { readonly state: 'left'; readonly text: string }
  | { readonly state: 'skipped'; readonly text: string }
  /** It was asked and is still there. */
  | { readonly state: 'stayed'; readonly text: string }
  /** It moved before anything was typed: it has to be judged anew. */
  | { readonly state: 'stirred'; readonly text: string }
  /** Something came between: nothing more may be done. */
  | { readonly state: 'disturbed'; readonly text: string }
  | WithheldStep;

type Asking = Stepping & Pick<Climb, 'step' | 'timings'>;

/** A pane as it was judged. */
export interface JudgedPane {
  readonly pane: ClosingPane;
  /** From before the look that judged it. */
  readonly stance: Stance;
  /** What that look saw on its screen. */
  readonly shown: readonly string[];
}

/** Types an agent's own exit into its ready, empty prompt, sees it there, and only then presses Enter. */
export async function askToLeave(asking: Asking, { pane, stance, shown }: JudgedPane): Promise<AskOutcome> {
  const { hands, subject, step, timings, patience } = asking;
  const { agent } = pane;
  const command = hands.agents.find(({ kind }) => kind === agent?.agentKind)?.exit?.command;
  const objection = whyNotAsk(pane, command);
  if (objection !== null || agent === null || command === undefined) {
    return { state: 'skipped', text: objection ?? '' };
  }
  const target = { session: subject.target, paneId: pane.paneId, pid: pane.pid };
  const before = await screenOf(hands, target);
  if (before === null) return { state: 'skipped', text: 'its screen cannot be seen' };
  // A close that was cut short leaves it so; to type it once more would make another text of it.
  if (isTypedAlready(before, command)) {
    return { state: 'skipped', text: `'${command}' stands in its input line already` };
  }
  const terms = { stance, aside: typingAside(asking), shown };
  const typed = await inOneStep(asking, 'brief', () =>
    step('type', () => hands.tmux.type(target, command, terms)),
  );
  if (typed.state !== 'stepped') return typed;
  if (typed.value.state === 'stirred') {
    const now = await screenOf(hands, target);
    const isLeft = livingOf(hands, [agent]).length === 0;
    // Something that is drawn elsewhere is judged anew; where its input line is another, somebody types or a turn began.
    if (isLeft || (now !== null && isSameInput(before, now))) return typed.value;
    return { state: 'disturbed', text: 'something was typed or shown in its input line' };
  }
  if (typed.value.state === 'changed') return { state: 'disturbed', text: typed.value.text };
  const entered = await enter(asking, { target, agent, command, before });
  if (entered !== null) return entered;
  const left = await untilGone(hands, chainOf(pane), patience.within(timings.askMs), timings);
  if (left.length === 0) return { state: 'left', text: `it left at '${command}'` };
  const text = `it was told '${command}' and is still there`;
  return patience.isOver() ? { state: 'late', text } : { state: 'stayed', text };
}

/** The agent, and those of its kind that launched it. */
export function chainOf({ agent, launchers }: ClosingPane): ProcessNote[] {
  return agent === null ? [] : [agent, ...launchers];
}

interface Typed {
  readonly target: PaneTarget;
  readonly agent: ProcessNote;
  readonly command: string;
  readonly before: Shown;
}

/** Sees the command alone in its line and presses Enter; null when that is done. */
async function enter(asking: Asking, typed: Typed): Promise<AskOutcome | null> {
  const { hands, step, timings } = asking;
  const { target, agent, command, before } = typed;
  const endsAt = awake(hands) + timings.typedMs;
  for (;;) {
    // First how it stands, then what it shows: whatever is typed after that is found by tmux itself.
    const stanced = await hands.tmux.stance(target.session);
    const screen = await screenOf(hands, target);
    const isOver = awake(hands) >= endsAt;
    const seen = screen === null ? 'not-seen' : findTyped(before, screen, command);
    if (seen === 'not-seen' || stanced.state !== 'seen') {
      if (isOver) return unseen(typed, screen);
      await hands.wait(timings.pollMs);
      continue;
    }
    const terms: Terms = { stance: stanced.stance, aside: typingAside(asking), shown: [command] };
    const takeBack = async (why: string, isLate = false): Promise<AskOutcome> => {
      const text = `${why}; ${await takenBack(hands, typed, terms)}`;
      return { state: isLate ? 'late' : 'disturbed', text };
    };
    if (seen === 'behind-text') return takeBack('something else was typed at the same time');
    // What stands on the screen was typed to the agent, and not to a shell that came after it.
    if (livingOf(hands, [agent]).length === 0) {
      await takeBack('');
      return { state: 'left', text: 'it left by itself' };
    }
    const pressed = await inOneStep(asking, 'typed', () =>
      step('enter', () => hands.tmux.press(target, 'Enter', terms)),
    );
    if (pressed.state !== 'stepped') return takeBack(pressed.text, pressed.state === 'late');
    if (pressed.value.state === 'done') return null;
    if (pressed.value.state === 'failed') return { state: 'stayed', text: pressed.value.text };
    if (pressed.value.state === 'changed' || isOver) return takeBack(pressed.value.text);
  }
}

// A program that shows nothing at all does not listen. Where something else is shown, somebody may be typing.
function unseen({ command, before }: Typed, screen: Shown | null): AskOutcome {
  const isUnmoved = screen !== null && isSameScreen(before, screen);
  const text = `'${command}' was typed and did not show`;
  return isUnmoved
    ? { state: 'stayed', text }
    : { state: 'disturbed', text: `${text}, but something else did` };
}

/** Takes back what was typed, where nothing was typed behind it; a person who is there by now should not find it. */
async function takenBack(
  hands: Hands,
  { target, command, before }: Typed,
  { aside }: Terms,
): Promise<string> {
  const stanced = await hands.tmux.stance(target.session);
  const screen = await screenOf(hands, target);
  const isSeen = screen !== null && findTyped(before, screen, command) !== 'not-seen';
  const left = `'${command}' may stand in its input line`;
  if (!isSeen || stanced.state !== 'seen') return left;
  const terms = { stance: stanced.stance, aside: new Set<SetAside>([...aside, 'attached', 'held']) };
  const taken = await hands.tmux.press(target, 'BSpace', terms, command.length);
  return taken.state === 'done' ? 'what was ours is taken back' : left;
}

// Into a pane that moves or is read in nothing is ever typed, whatever was set aside.
function typingAside({ footing }: Stepping): ReadonlySet<SetAside> {
  return new Set([...setAside(footing)].filter((name) => name === 'attached' || name === 'held'));
}

async function screenOf(hands: Hands, { session, paneId }: PaneTarget): Promise<Shown | null> {
  const [screen] = await hands.screens.capture(session.server.socketPath, [paneId]);
  return screen?.state === 'captured' ? screen : null;
}
