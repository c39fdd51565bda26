import type { DoctorFacts } from '../facts.ts';
import { type CheckReport, type Finding, type FindingParts, SEVERITIES, type Severity } from '../finding.ts';
import { isAbout, unseenServers } from '../narrow.ts';

/** One check of the doctor: pure, and about the facts of one run only. Its name is for `--only`. */
export interface DoctorCheck extends Pick<CheckReport, 'name' | 'group' | 'looksAt'> {
  /** `server`, also where left out: all that it finds belongs to a tmux server, and it is blind where one gives no answer. */
  readonly scope?: 'server' | 'machine';
  /** What it finds, or why it could not look. */
  examine(facts: DoctorFacts): readonly FindingParts[] | { readonly problem: string };
}

/**
 * Runs one check, on these servers (labels or socket paths) or on all of them. One that could not look everywhere is a
 * warning: what it would have found there is not known.
 */
export function reportOf(
  { name, group, looksAt, scope, examine }: DoctorCheck,
  facts: DoctorFacts,
  servers: readonly string[] = [],
): CheckReport {
  const about = { name, group, looksAt };
  const examined = examine(facts);
  if ('problem' in examined) {
    return { ...about, severity: 'warning', findings: [], problem: examined.problem, unseen: [] };
  }
  const all = examined.map((found): Finding => ({ evidence: [], remedy: null, advice: [], ...found }));
  const isPerServer = scope !== 'machine';
  const isNarrowed = isPerServer && servers.length > 0;
  const findings = isNarrowed ? all.filter((one) => isAbout(one, facts, servers)) : all;
  const unseen = [
    ...(isPerServer ? unseenServers(facts.roll, servers) : []),
    ...findings.flatMap(({ isUnseen, text }) => (isUnseen ? text : [])),
  ];
  const severity = worstOf([...findings, ...(unseen.length > 0 ? [{ severity: 'warning' } as const] : [])]);
  return { ...about, severity, findings, problem: null, unseen };
}

/** The worst severity among findings. */
export function worstOf(findings: readonly Pick<Finding, 'severity'>[]): Severity {
  const worst = Math.max(0, ...findings.map(({ severity }) => SEVERITIES.indexOf(severity)));
  return SEVERITIES[worst] as Severity;
}
