import { counted } from '../text/counted.ts';
import { named } from '../verdict/evidence.ts';
import { type ClosingPane, isRestful, running } from './closing-pane.ts';
import { type ListedProcess, listing } from './listing.ts';

/** How a session is closed, gentlest first; one that is to sleep gets a sleeper in the place of its agent, and stays. */
export const RUNGS = ['ask', 'terminate', 'kill', 'sleep', 'remove', 'sweep'] as const;
export type Rung = (typeof RUNGS)[number];

/** What to do next, by what the panes show now. */
export type NextRung =
  | { readonly rung: Exclude<Rung, 'sweep'> }
  | { readonly rung: 'stuck'; readonly text: string };

/** The next rung for a session that still stands. Each is tried once. */
export function nextRung(
  panes: readonly ClosingPane[],
  tried: ReadonlySet<Rung>,
  { isForced, isToSleep = false }: { readonly isForced: boolean; readonly isToSleep?: boolean },
): NextRung {
  const own = panes.filter((pane) => !pane.isShared);
  const live = own.filter((pane) => !isRestful(pane));
  const isAgent = live.some(({ agent }) => agent !== null);
  if (isAgent && !tried.has('ask')) return { rung: 'ask' };
  if (live.length > 0 && (isAgent || isForced) && !tried.has('terminate')) return { rung: 'terminate' };
  if (live.length > 0 && isForced && !tried.has('kill')) return { rung: 'kill' };
  if (live.length > 0 && !isForced) return { rung: 'stuck', text: whatRuns(live) };
  if (isToSleep) return { rung: 'sleep' };
  return tried.has('remove') ? { rung: 'stuck', text: 'tmux did not remove it' } : { rung: 'remove' };
}

function whatRuns(panes: readonly ClosingPane[]): string {
  const names = panes.flatMap((pane) => {
    const notes = running(pane).map(named);
    return notes.length > 0 ? notes : [`pane ${pane.paneId}, whose processes cannot be seen`];
  });
  return `${names.join(', ')} still runs`;
}

/** Why an agent is not asked to leave; null when it may be. Typing is only for a ready, empty prompt that is its own. */
export function whyNotAsk(pane: ClosingPane, command: string | undefined): string | null {
  const { agent, word, isInMode } = pane;
  if (agent === null) return 'no agent runs in it';
  if (command === undefined) return `how ${agent.program} is asked to leave is not known`;
  if (isInMode) return 'the pane is in a mode';
  if (agent.relation !== 'root' && agent.relation !== 'foreground') return 'the agent is not in front';
  if (word === null || word.says !== 'idle' || word.isReady !== true) return 'no ready prompt is seen';
  return word.hasDraft === false ? null : 'the input may hold a draft';
}

/** What would be done, for somebody who only wants to know. */
export interface PlannedRung {
  readonly rung: 'archive' | Rung;
  readonly text: string;
}

/** The rungs that would be climbed as things stand, in order; later ones only where the earlier are not enough. */
export function plannedRungs(
  panes: readonly ClosingPane[],
  { isForced, isToSleep = false }: { readonly isForced: boolean; readonly isToSleep?: boolean },
  exitOf: (agentKind: string) => { readonly command: string; readonly signal: string } | undefined,
): PlannedRung[] {
  const own = panes.filter((pane) => !pane.isShared);
  const agents = own.flatMap((pane) => (pane.agent ? [{ pane, agent: pane.agent }] : []));
  const listed = listing(panes, { isForced });
  const ends = new Set(listed.filter(({ what }) => what === 'end').map(({ pid }) => pid));
  const live = own
    .flatMap((pane) => (isRestful(pane) ? [] : running(pane)))
    .filter(({ pid }) => ends.has(pid));
  const planned: PlannedRung[] = [
    {
      rung: 'archive',
      text: `${counted(panes.length, 'pane')}: screen and history, layout, commands, folders, conversation, git, evidence`,
    },
  ];
  for (const { pane, agent } of agents) {
    const exit = exitOf(agent.agentKind ?? '');
    const objection = whyNotAsk(pane, exit?.command);
    const text =
      objection === null
        ? `type '${exit?.command}' to ${named(agent)} in ${pane.paneId}`
        : `not asked in ${pane.paneId}: ${objection}`;
    planned.push({ rung: 'ask', text });
    const whom = exit?.signal === 'group' ? `the process group of ${named(agent)}` : named(agent);
    planned.push({ rung: 'terminate', text: `where that is not enough: SIGTERM to ${whom}` });
  }
  if (isForced && live.length > 0) {
    const whom = live.map(named).join(', ');
    if (agents.length === 0) planned.push({ rung: 'terminate', text: `SIGTERM to ${whom}` });
    planned.push({ rung: 'kill', text: `where that is not enough: SIGKILL to ${whom}` });
  }
  const [asleep] = agents;
  if (isToSleep) {
    const text = `once it has left: its sleeper in ${asleep?.pane.paneId ?? 'its pane'}; the session and its other panes stay`;
    return [...planned, { rung: 'sleep', text }];
  }
  const shared = panes.filter((pane) => pane.isShared).map(({ paneId }) => paneId);
  const rest = shared.length > 0 ? `; ${shared.join(', ')} live on in other sessions` : '';
  planned.push({ rung: 'remove', text: `once nothing runs in it any more${rest}` });
  planned.push({ rung: 'sweep', text: swept(listed, shared) });
  return planned;
}

function swept(listed: readonly ListedProcess[], shared: readonly string[]): string {
  const ends = listed.filter(({ what }) => what === 'end').map(named);
  const kept = listed.flatMap((one) =>
    one.why === null || shared.includes(one.paneId) ? [] : [`${named(one)}: ${one.why}`],
  );
  const whom = ends.length === 0 ? 'nothing is signalled' : `SIGTERM to what lives on of ${ends.join(', ')}`;
  return [whom, ...(kept.length > 0 ? [`left alone: ${kept.join(', ')}`] : [])].join('; ');
}
