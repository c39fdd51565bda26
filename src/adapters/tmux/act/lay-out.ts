import type { WindowPlan } from '../../../core/sight/window.ts';
import type { Acted, PaneTarget, SessionTarget } from '../../../ports/actuator.ts';
import { actInSession, asActed, NOT_IDS, type Reach } from './act-if.ts';
import { isPane, sessionAddress } from './facts.ts';
import {
  BEGUN,
  notMade,
  type PlacedWindow,
  type RestOfLayout,
  readStanding,
  restOf,
  standingFacts,
} from './standing.ts';
import { literal } from './words.ts';

/**
 * Lays out a session around the pane that it was started with; the other panes run their own commands, or plain shells. All
 * windows are made in one command, so that whoever is killed on the way leaves all of them or none. Where some are there
 * already, the rest is made: each window is begun once, and what somebody else has put at its place is left and told.
 * Refused before anything is done where a folder is missing, since tmux would silently take another. What the panes run may hold
 * secrets, so it comes over the client's input; a tmux that cannot read that (before 3.2) is not told what to run.
 */
export async function layOut(reach: Reach, pane: PaneTarget, windows: readonly WindowPlan[]): Promise<Acted> {
  if (!isPane(pane)) return NOT_IDS;
  const problem = await problemOf(windows, reach.folderProblem);
  if (problem !== null) return { state: 'failed', text: problem };
  let plan = windows;
  const troubles = new Set<string>();
  let [begun, isPrivate, tries] = ['-', true, 0];
  for (;;) {
    const standing = await readStanding(reach, pane.session);
    if ('state' in standing) return standing;
    const rest = restOf(plan, standing, pane.paneId);
    if (rest === null) return { state: 'changed', text: 'the pane is gone' };
    tries = standing.begun === begun ? tries + 1 : 0;
    if (rest.windows.length === 0) return told([...rest.lacking, ...troubles]);
    if (tries > TRIES) return told([...rest.lacking, ...notMade(rest), ...troubles]);
    begun = standing.begun;
    const now = { ...rest, windows: atOnce(rest.windows, isPrivate) };
    const commands = layOutCommands(pane.session, plan, now);
    const more = { facts: standingFacts(standing), isPrivate };
    const acted = asActed(await actInSession(reach, pane.session, () => commands, more));
    const isAll = now.windows.length === rest.windows.length;
    if (acted.state === 'done' && isAll) return told([...rest.lacking, ...troubles]);
    if (acted.state !== 'failed') continue;
    // One window that cannot be made keeps no other from it.
    if (!isPrivate || !NO_INPUT.test(acted.text)) troubles.add(acted.text);
    else {
      isPrivate = false;
      if (plan.some(hasCommand)) troubles.add(UNREAD);
      plan = plan.map(withoutCommands);
    }
  }
}

/** Somebody may be opening windows at the same time. */
const TRIES = 2;
/** What tmux before 3.2 says, which takes commands as arguments only. */
const NO_INPUT = /-: No such file or directory|No such file or directory: -/;
const UNREAD =
  'shells run in its panes, because this tmux cannot be given their commands without showing them to every user; that takes tmux 3.2 or newer';

/** Of more, tmux could not tell in time that it has made them. */
const MOST_PANES = 60;

/** Those that are made in one command: as a rule all of them. A list of arguments has little room. */
function atOnce(windows: readonly PlacedWindow[], isPrivate: boolean): readonly PlacedWindow[] {
  let panes = 0;
  const end = windows.findIndex(({ window }) => {
    panes += window.panes.length;
    return panes > MOST_PANES;
  });
  return windows.slice(0, isPrivate ? Math.max(1, end === -1 ? windows.length : end) : 1);
}

function told(texts: readonly string[]): Acted {
  return texts.length === 0 ? { state: 'done' } : { state: 'failed', text: texts.join('; ') };
}

function layOutCommands(
  session: SessionTarget,
  windows: readonly WindowPlan[],
  rest: RestOfLayout,
): string[][] {
  const active = windows.find(({ isActive }) => isActive) ?? windows[0];
  return rest.windows.flatMap((one) => [
    begin(session, one),
    ...windowCommands(session, one, rest),
    // Where somebody else has windows, what they look at stays.
    ...(one.window === active && !rest.hasOthers
      ? [['select-window', '-t', windowAddress(session, one.index)]]
      : []),
  ]);
}

/** Written before anything is done for the window: what ends at once must not be run a second time. */
function begin(session: SessionTarget, { window }: PlacedWindow): string[] {
  return ['set-option', '-a', '-t', sessionAddress(session), BEGUN, ` ${window.index}`];
}

function hasCommand({ panes }: WindowPlan): boolean {
  return panes.some(({ command }) => command !== undefined);
}

function withoutCommands(window: WindowPlan): WindowPlan {
  return { ...window, panes: window.panes.map(({ command: _, ...pane }) => pane) };
}

function windowCommands(
  session: SessionTarget,
  { window, index, from }: PlacedWindow,
  { hasOthers }: RestOfLayout,
) {
  const target = windowAddress(session, index);
  const { panes } = window;
  const name = literal(window.name);
  const own = panes.findIndex((pane) => pane.isThere);
  const at = from === undefined ? 0 : Math.max(0, own);
  // Moving a window to where it is would fail.
  const moved = from === index ? [] : [moveTo(session, from ?? 0, index, hasOthers)];
  const first =
    from === undefined ? [['new-window', '-d', '-n', name, '-t', target, ...programIn(panes[0])]] : moved;
  // Evened out, there is room for the next.
  const split = (...words: string[]): string[][] => [
    ['split-window', ...words],
    ['select-layout', '-t', target, 'tiled'],
  ];
  const active = panes.findIndex(({ isActive }) => isActive);
  return [
    ...first,
    ['rename-window', '-t', target, '--', name],
    // Those before it come directly before it, as it stays the active one.
    ...panes.slice(0, at).flatMap((pane) => split('-d', '-b', '-t', target, ...programIn(pane))),
    // Then each new pane becomes the active one, so the next comes behind it.
    ...panes.slice(at + 1).flatMap((pane) => split('-t', target, ...programIn(pane))),
    ['select-layout', '-t', target, '--', window.layout],
    // Counted from the last pane, which is the active one: numbers depend on the user's pane-base-index.
    ...(panes.length > 1 && active !== -1 ? [['select-pane', '-t', `${target}.+${active + 1}`]] : []),
  ];
}

function programIn(pane: WindowPlan['panes'][number] | undefined): string[] {
  const command = pane?.command === undefined ? [] : ['--', ...pane.command];
  return ['-c', literal(pane?.cwd ?? '/'), ...command];
}

function moveTo(session: SessionTarget, from: number, index: number, hasOthers: boolean): string[] {
  const [source, target] = [windowAddress(session, from), windowAddress(session, index)];
  return ['move-window', ...(hasOthers ? ['-d'] : []), '-s', source, '-t', target];
}

function windowAddress(session: SessionTarget, index: number): string {
  return `${sessionAddress(session)}${index}`;
}

async function problemOf(windows: readonly WindowPlan[], folderProblemOf: Reach['folderProblem']) {
  for (const [turn, { index, layout, panes }] of windows.entries()) {
    if (!Number.isInteger(index) || index < 0) return `there is no window ${index}`;
    if (!/^[0-9a-f]{4},[0-9x,{}[\]]+$/.test(layout)) return `window ${index} has no layout that tmux takes`;
    if (panes.length === 0) return `window ${index} has no pane`;
    const first = turn === 0 ? (panes.find((pane) => pane.isThere) ?? panes[0]) : undefined;
    for (const { cwd } of panes.filter((pane) => pane !== first)) {
      const problem = await folderProblemOf(cwd);
      if (problem !== null) return problem;
    }
  }
  return null;
}
