import { reportOf } from '../../core/doctor/checks/check.ts';
import { CHECKS } from '../../core/doctor/checks/index.ts';
import type { DoctorFacts } from '../../core/doctor/facts.ts';
import type { CheckReport } from '../../core/doctor/finding.ts';

/**
 * Runs the checks that are wanted, all of them where none is named. Where servers are named (labels or socket paths), only
 * what belongs to them is looked for: checks of the whole machine are run then only if they are named too.
 */
export function diagnose(
  facts: DoctorFacts,
  only: readonly string[] = [],
  servers: readonly string[] = [],
  onCheck: (name: string) => void = () => {},
): CheckReport[] {
  const isWanted = ({ name, scope }: (typeof CHECKS)[number]) =>
    only.length === 0 ? scope !== 'machine' || servers.length === 0 : only.includes(name);
  return CHECKS.filter(isWanted).map((check) => {
    onCheck(check.name);
    return reportOf(check, facts, servers);
  });
}
