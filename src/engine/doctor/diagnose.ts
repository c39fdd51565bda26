import { reportOf } from '../../core/doctor/checks/check.ts';
import { CHECKS } from '../../core/doctor/checks/index.ts';
import type { DoctorFacts } from '../../core/doctor/facts.ts';
import type { CheckReport } from '../../core/doctor/finding.ts';

/** Runs the checks that are wanted, all of them where none is named. */
export function diagnose(
  facts: DoctorFacts,
  only: readonly string[] = [],
  onCheck: (name: string) => void = () => {},
): CheckReport[] {
  return CHECKS.filter(({ name }) => only.length === 0 || only.includes(name)).map((check) => {
    onCheck(check.name);
    return reportOf(check, facts);
  });
}
