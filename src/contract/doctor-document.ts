import { worstOf } from '../core/doctor/checks/check.ts';
import { type CheckReport, type Finding, type Mending, memoryByClass } from '../core/doctor/finding.ts';
import type { Roll } from '../core/sight/roll.ts';
import type { DoctorDocument } from './doctor-schema.ts';
import { toDocument } from './document.ts';
import { problemObject, toHostObject } from './roll-document.ts';

/** What the doctor found and mended, as `rollcall doctor --json` prints it. */
export function toDoctorDocument(
  { host, at, problems }: Pick<Roll, 'host' | 'at' | 'problems'>,
  reports: readonly CheckReport[],
  mendings: readonly Mending[],
): DoctorDocument {
  return toDocument({
    host: toHostObject(host),
    at,
    severity: worstOf(reports),
    checks: reports.map(({ name, group, looksAt, severity, problem, unseen, findings }) => ({
      ...{ name, group, looksAt, severity, problem, unseen: [...unseen] },
      memory: memoryByClass(findings).map((one) => ({ ...one })),
      findings: findings.map(findingObject),
    })),
    fixes: mendings.map(({ check, result, text, finding }) => ({
      ...{ check, class: finding.class, result, text, finding: finding.text, ...subjectOf(finding) },
    })),
    problems: problems.map(problemObject),
  });
}

function findingObject(finding: Finding): DoctorDocument['checks'][number]['findings'][number] {
  const { class: of, severity, text, remedy, evidence, advice, memoryBytes } = finding;
  return {
    ...{ class: of, severity, text, fixable: remedy !== null },
    evidence: [...evidence],
    advice: [...advice],
    ...subjectOf(finding),
    ...(memoryBytes !== undefined && { memoryBytes }),
  };
}

function subjectOf({ pid, session }: Finding): { pid?: number; session?: string } {
  return { ...(pid !== undefined && { pid }), ...(session !== undefined && { session }) };
}
