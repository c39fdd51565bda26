import { RULES } from '../rules/index.ts';
import type { RuleFinding } from '../rules/rule.ts';
import type { Moment } from '../text/moment.ts';
import { type Checklist, LazyChecklist, WithVerdict } from './checklist.ts';
import type { Evidence } from './evidence.ts';
import { gatherFacts, type PaneFacts, type VerdictFacts } from './facts.ts';
import { asideOf, lifecycleOf } from './lifecycle.ts';
import type { Policy } from './policy.ts';
import { protectionsOf } from './protections.ts';
import { restMs } from './rest.ts';
import { wishedUntil } from './retention.ts';
import { speakerOf } from './speaker.ts';
import {
  ACTIVITIES,
  type Activity,
  type AgentNote,
  type Lifecycle,
  type Reason,
  type Verdict,
} from './verdict.ts';

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
  const checklist = new LazyChecklist(judged);
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

class LazyVerdict extends WithVerdict implements Verdict {
  readonly panes: Verdict['panes'];

  constructor(said: Omit<Verdict, keyof Checklist>, checklist: Checklist) {
    super(said, checklist);
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

/** What one pane is doing, and all findings, the decisive one first. */
export interface PaneJudgement {
  readonly facts: PaneFacts;
  readonly decisive: RuleFinding;
  readonly findings: readonly RuleFinding[];
}

/** Asks every rule; the busiest finding decides, unless sources of rank contradict each other. */
export function judgePane(facts: PaneFacts, now: Moment, policy: Policy): PaneJudgement {
  const findings: RuleFinding[] = [];
  for (const rule of RULES) {
    const finding = rule(facts, now, policy);
    if (finding !== null) findings.push(finding);
  }
  findings.sort(findingsByBusiest);
  const quarrel = disagreement(findings);
  const [busiest = silence(now)] = findings;
  const decisive = quarrel ?? busiest;
  return { facts, decisive, findings: [decisive, ...findings.filter((finding) => finding !== decisive)] };
}

// An agent that calls itself idle while something of its own works: one of the two is wrong, so neither is believed.
function disagreement(findings: readonly RuleFinding[]): RuleFinding | null {
  const resting = findings.find(({ reason }) => reason.code === 'agent-says-idle');
  const working = findings.find(({ activity }) => activity === 'working');
  if (!resting || !working) return null;
  return {
    activity: 'unknown',
    reason: {
      code: 'sources-disagree',
      source: 'agent',
      observedAt: resting.reason.observedAt,
      text: `sources disagree: ${resting.reason.text}, but ${working.reason.text}`,
    },
  };
}

function silence(now: Moment): RuleFinding {
  const text = 'nothing that is seen here says what the pane is doing';
  return {
    activity: 'unknown',
    reason: { code: 'nothing-says', source: 'process', observedAt: now.at, text },
  };
}

function findingsByBusiest(a: RuleFinding, b: RuleFinding): number {
  return (
    ACTIVITIES.indexOf(a.activity) - ACTIVITIES.indexOf(b.activity) ||
    Number(a.reason.code > b.reason.code) - Number(a.reason.code < b.reason.code)
  );
}
