import type { DoctorFacts } from '../facts.ts';
import type { CheckReport, Finding } from '../finding.ts';
import { SEVERITIES, type Severity } from '../finding.ts';
import { isAbout } from '../narrow.ts';
import { unseenServers } from '../unseen-servers.ts';

/** One check of the doctor: pure, and about the facts of one run only. */
export interface DoctorCheck {
  /** Kebab-case, for `--only`; stable once released. */
  readonly name: string;
  readonly group: CheckReport['group'];
  /** `server`: everything that it finds belongs to a tmux server, and it is blind where one gives no answer. */
  readonly scope: 'server' | 'machine';
  /** What it looks at, in words. */
  readonly looksAt: string;
  /** What it finds, or why it could not look. */
  examine(facts: DoctorFacts): readonly Finding[] | { readonly problem: string };
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
  const isNarrowed = scope === 'server' && servers.length > 0;
  const findings = isNarrowed ? examined.filter((one) => isAbout(one, facts, servers)) : examined;
  const unseen = [
    ...(scope === 'server' ? unseenServers(facts.roll, servers) : []),
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
