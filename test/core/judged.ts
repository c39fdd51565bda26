import type { Judged } from '../../src/core/checks/check.ts';
import type { Rule, RuleFinding } from '../../src/core/rules/rule.ts';
import { classify } from '../../src/core/verdict/classify.ts';
import type { Evidence } from '../../src/core/verdict/evidence.ts';
import type { PaneFacts, VerdictFacts } from '../../src/core/verdict/facts.ts';
import { gatherFacts } from '../../src/core/verdict/facts.ts';
import { restMs } from '../../src/core/verdict/rest.ts';
import type { Verdict } from '../../src/core/verdict/verdict.ts';
import { NOW, POLICY } from '../support/evidence.ts';

/** The facts that a list of evidence amounts to. */
export function factsOf(evidence: readonly Evidence[]): VerdictFacts {
  return gatherFacts(evidence, NOW, POLICY);
}

/** The facts on the only pane, or the one that is named. */
export function paneFactsOf(evidence: readonly Evidence[], paneId = '%1'): PaneFacts {
  return factsOf(evidence).panes.find((pane) => pane.paneId === paneId) as PaneFacts;
}

/** What a check looks at; activity and rest are those of the evidence unless the test is about them. */
export function judgedOf(evidence: readonly Evidence[], over: Partial<Judged> = {}): Judged {
  const facts = factsOf(evidence);
  return { facts, activity: verdictOn(evidence).activity, restMs: restMs(facts), ...over };
}

/** What one rule makes of the only pane. */
export function findingOf(rule: Rule, evidence: readonly Evidence[]): RuleFinding | null {
  return rule(paneFactsOf(evidence), NOW, POLICY);
}

/** The verdict at the moment at which the evidence was seen. */
export function verdictOn(evidence: readonly Evidence[]): Verdict {
  return classify(evidence, NOW, POLICY);
}

/** Activity and lifecycle in one word, as a person would read them: `idle/safe-to-close`. */
export function stateOf(evidence: readonly Evidence[]): string {
  const { activity, lifecycle } = verdictOn(evidence);
  return `${activity}/${lifecycle}`;
}

/** The codes of all blockers. */
export function blockersOf(evidence: readonly Evidence[]): string[] {
  return verdictOn(evidence).blockers.map((blocker) => blocker.code);
}
