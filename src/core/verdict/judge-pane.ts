import { RULES } from '../rules/index.ts';
import type { Finding } from '../rules/rule.ts';
import type { Moment } from '../text/moment.ts';
import type { PaneFacts } from './facts.ts';
import type { Policy } from './policy.ts';
import { ACTIVITIES } from './verdict.ts';

/** What one pane is doing, and all findings, the decisive one first. */
export interface PaneJudgement {
  readonly facts: PaneFacts;
  readonly decisive: Finding;
  readonly findings: readonly Finding[];
}

/** Asks every rule; the busiest finding decides, unless sources of rank contradict each other. */
export function judgePane(facts: PaneFacts, now: Moment, policy: Policy): PaneJudgement {
  const findings = RULES.flatMap((rule) => rule(facts, now, policy) ?? []).sort(byBusiest);
  const quarrel = disagreement(findings);
  const [busiest = silence(now)] = findings;
  const decisive = quarrel ?? busiest;
  return { facts, decisive, findings: [decisive, ...findings.filter((finding) => finding !== decisive)] };
}

// An agent that calls itself idle while something of its own works: one of the two is wrong, so neither is believed.
function disagreement(findings: readonly Finding[]): Finding | null {
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

function silence(now: Moment): Finding {
  const text = 'nothing that is seen here says what the pane is doing';
  return {
    activity: 'unknown',
    reason: { code: 'nothing-says', source: 'process', observedAt: now.at, text },
  };
}

function byBusiest(a: Finding, b: Finding): number {
  return (
    ACTIVITIES.indexOf(a.activity) - ACTIVITIES.indexOf(b.activity) ||
    Number(a.reason.code > b.reason.code) - Number(a.reason.code < b.reason.code)
  );
}
