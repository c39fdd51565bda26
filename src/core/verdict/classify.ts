import type { Moment } from '../text/moment.ts';
import { type Checklist, checklistOf, WithChecklist } from './checklist.ts';
import type { Evidence } from './evidence.ts';
import type { PaneFacts, VerdictFacts } from './facts.ts';
import { gatherFacts } from './facts.ts';
import type { PaneJudgement } from './judge-pane.ts';
import { judgePane } from './judge-pane.ts';
import { asideOf, lifecycleOf } from './lifecycle.ts';
import type { Policy } from './policy.ts';
import { protectionsOf } from './protections.ts';
import { restMs } from './rest.ts';
import { wishedUntil } from './retention.ts';
import { speakerOf } from './speaker.ts';
import type { Activity, AgentNote, Lifecycle, Reason, Verdict } from './verdict.ts';
import { ACTIVITIES } from './verdict.ts';

/** The verdict at the previous look, if there was one: a state that lasts keeps the time it began. */
export interface Previous {
  readonly activity: Activity;
  readonly lifecycle: Lifecycle;
  readonly since: number;
}

/** From evidence to verdict. Pure: the same evidence, in any order, at the same moment, gives the same answer. */
export function classify(
  evidence: readonly Evidence[],
  now: Moment,
  policy: Policy,
  previous?: Previous,
): Verdict {
  const facts = gatherFacts(evidence, now, policy);
  const panes = facts.panes.map((pane) => judgePane(pane, now, policy));
  const busiestFirst = [...panes].sort(byBusiest);
  const [busiest] = busiestFirst;
  const activity = busiest?.decisive.activity ?? 'unknown';
  const judged = { facts, activity, restMs: restMs(facts) };
  const checklist = checklistOf(judged);
  const { lifecycle, reason, retainedUntil } = lifecycleOf(judged, checklist);
  const aside = asideOf(facts);
  const reasons = [...(reason ? [reason] : []), ...findingsOf(busiestFirst)];
  return new LazyVerdict(
    {
      activity,
      waitingFor: busiest?.decisive.waitingFor ?? null,
      lifecycle,
      since: sinceOf(busiest, judged.restMs, now, { activity, lifecycle }, previous),
      retainedUntil: lifecycle === 'completed-retained' ? retainedUntil : wishedUntil(facts),
      reasons: [...(reasons.length > 0 ? reasons : [unheard(facts)]), ...(aside ? [aside] : [])],
      protections: protectionsOf(facts),
      agent: agentOf(busiestFirst.map((pane) => pane.facts)),
      panes: panes.map(({ facts: { paneId }, decisive }) => ({
        paneId,
        activity: decisive.activity,
        waitingFor: decisive.waitingFor ?? null,
      })),
    },
    checklist,
  );
}

class LazyVerdict extends WithChecklist implements Verdict {
  readonly activity: Activity;
  readonly waitingFor: Verdict['waitingFor'];
  readonly lifecycle: Lifecycle;
  readonly since: number;
  readonly retainedUntil: number | null;
  readonly reasons: Verdict['reasons'];
  readonly protections: Verdict['protections'];
  readonly agent: AgentNote | null;
  readonly panes: Verdict['panes'];

  constructor(said: Omit<Verdict, keyof Checklist>, checklist: Checklist) {
    super(checklist);
    this.activity = said.activity;
    this.waitingFor = said.waitingFor;
    this.lifecycle = said.lifecycle;
    this.since = said.since;
    this.retainedUntil = said.retainedUntil;
    this.reasons = said.reasons;
    this.protections = said.protections;
    this.agent = said.agent;
    this.panes = said.panes;
  }
}

function byBusiest(a: PaneJudgement, b: PaneJudgement): number {
  return ACTIVITIES.indexOf(a.decisive.activity) - ACTIVITIES.indexOf(b.decisive.activity);
}

function findingsOf(panes: readonly PaneJudgement[]): Reason[] {
  return panes.flatMap((pane) =>
    pane.findings.map(({ reason }) =>
      panes.length > 1 ? { ...reason, text: `${pane.facts.paneId}: ${reason.text}` } : reason,
    ),
  );
}

function unheard(facts: VerdictFacts): Reason {
  const failed = facts.unavailable[0];
  return {
    code: failed ? 'sensor-unavailable' : 'no-fresh-evidence',
    source: failed?.source ?? 'tmux',
    observedAt: failed?.observedAt ?? facts.now.at,
    text: failed?.text ?? 'nothing has been heard of it just now',
  };
}

const RESTING: ReadonlySet<Activity> = new Set(['idle', 'exited', 'none']);

// The evidence reaches back to the last output of a resting session, or to the start of what runs.
function sinceOf(
  busiest: PaneJudgement | undefined,
  rest: number,
  now: Moment,
  current: Omit<Previous, 'since'>,
  previous: Previous | undefined,
): number {
  const isSame = previous?.activity === current.activity && previous.lifecycle === current.lifecycle;
  const isResting = RESTING.has(current.activity);
  const began = isResting ? now.at - rest : (busiest?.decisive.since ?? now.at);
  return isSame ? Math.min(previous.since, began) : began;
}

// Of several agents, the one in the busiest pane: its state is the session's.
function agentOf(panes: readonly PaneFacts[]): AgentNote | null {
  for (const facts of panes) {
    const { agent, processes, history, pane } = facts;
    if (pane?.asleep?.agentKind) {
      const { agentKind, conversation } = pane.asleep;
      return { kind: agentKind, version: null, conversation, pid: null };
    }
    const running = speakerOf(facts) ?? processes?.processes.find((note) => note.role === 'agent');
    const kind = agent?.agentKind ?? running?.agentKind ?? history?.agentSeen;
    if (kind === undefined) continue;
    const { agentVersion: version = null, conversation = null } = agent ?? {};
    return { kind, version, conversation, pid: running?.pid ?? null };
  }
  return null;
}
