import type { WindowPlan } from '../../../core/window.ts';
import type { Acted, SessionTarget } from '../../../ports/actuator.ts';
import { actIf, type Reach } from './act-if.ts';
import { asActed, NOT_IDS } from './acted.ts';
import { type Fact, isSession, sessionAddress, sessionFacts } from './facts.ts';
import { folderProblem } from './folder-problem.ts';
import { commandText, literal } from './words.ts';

/**
 * Lays out a session that has one pane, window by window; the other panes run their own commands, or plain shells. Refused
 * before anything is done where a folder is missing, since tmux would silently take another.
 */
export async function layOut(
  reach: Reach,
  session: SessionTarget,
  windows: readonly WindowPlan[],
): Promise<Acted> {
  if (!isSession(session)) return NOT_IDS;
  const problem = await problemOf(windows, reach.folderProblem ?? folderProblem);
  if (problem !== null) return { state: 'failed', text: problem };
  let facts = [...sessionFacts(session), ONE_PANE];
  for (const [turn, window] of windows.entries()) {
    const commands = windowCommands(session, window, turn === 0);
    const acted = await act(reach, session, facts, commands);
    if (acted.state !== 'done') return acted;
    facts = sessionFacts(session);
  }
  const active = windows.find(({ isActive }) => isActive) ?? windows[0];
  if (active === undefined) return { state: 'done' };
  return act(reach, session, facts, [['select-window', '-t', windowAddress(session, active)]]);
}

/** A dot for each pane. */
const ONE_PANE: Fact = { format: '#{W:#{P:.}}', value: '.', otherwise: 'it has other panes by now' };

async function act(
  reach: Reach,
  session: SessionTarget,
  facts: readonly Fact[],
  commands: readonly string[][],
): Promise<Acted> {
  const { socketPath } = session.server;
  return asActed(await actIf(reach, { socketPath, target: sessionAddress(session), facts, commands }));
}

function windowCommands(session: SessionTarget, window: WindowPlan, isThere: boolean): string[][] {
  const target = windowAddress(session, window);
  const { panes } = window;
  const at = isThere
    ? Math.max(
        0,
        panes.findIndex((pane) => pane.isThere),
      )
    : 0;
  const begin = isThere
    ? moveTo(session, window.index)
    : ['new-window', '-d', '-t', target, ...programIn(panes[0])];
  // Evened out, there is room for the next.
  const split = (...words: string[]): string[][] => [
    ['split-window', ...words],
    ['select-layout', '-t', target, 'tiled'],
  ];
  const active = panes.findIndex(({ isActive }) => isActive);
  return [
    begin,
    ['rename-window', '-t', target, '--', literal(window.name)],
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

// Moving a window to where it is would fail.
function moveTo(session: SessionTarget, index: number): string[] {
  const here = sessionAddress(session);
  const move = commandText([['move-window', '-s', here, '-t', `${here}${index}`]]);
  return ['if-shell', '-F', '-t', here, `#{!=:#{window_index},${index}}`, move];
}

function windowAddress(session: SessionTarget, window: WindowPlan): string {
  return `${sessionAddress(session)}${window.index}`;
}

async function problemOf(
  windows: readonly WindowPlan[],
  folderProblemOf: NonNullable<Reach['folderProblem']>,
): Promise<string | null> {
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
