import type { DoctorFacts } from '../facts.ts';
import type { CheckReport, Finding } from '../finding.ts';
import { SEVERITIES, type Severity } from '../finding.ts';

/** One check of the doctor: pure, and about the facts of one run only. */
export interface DoctorCheck {
  /** Kebab-case, for `--only`; stable once released. */
  readonly name: string;
  readonly group: CheckReport['group'];
  /** What it looks at, in words. */
  readonly looksAt: string;
  /** What it finds, or why it could not look. */
  examine(facts: DoctorFacts): readonly Finding[] | { readonly problem: string };
}

/** Runs one check. A check that could not look is a warning: what it would have found is not known. */
export function reportOf({ name, group, looksAt, examine }: DoctorCheck, facts: DoctorFacts): CheckReport {
  const examined = examine(facts);
  if ('problem' in examined) {
    return { name, group, looksAt, severity: 'warning', findings: [], problem: examined.problem };
  }
  return { name, group, looksAt, severity: worstOf(examined), findings: examined, problem: null };
}

/** The worst severity among findings. */
export function worstOf(findings: readonly Pick<Finding, 'severity'>[]): Severity {
  const worst = Math.max(0, ...findings.map(({ severity }) => SEVERITIES.indexOf(severity)));
  return SEVERITIES[worst] as Severity;
}
