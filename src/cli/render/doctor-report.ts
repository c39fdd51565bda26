import type { CheckReport, Finding, Severity } from '../../core/doctor/finding.ts';
import { memoryByClass } from '../../core/doctor/memory.ts';
import type { Problem } from '../../core/roll.ts';
import { count, longBytes } from './amounts.ts';
import type { Tone } from './colour.ts';
import { type Line, line, padLine, span } from './line.ts';
import { problemLines } from './roll-problems.ts';
import { wrap } from './wrap.ts';

const GROUPS: readonly CheckReport['group'][] = ['sessions', 'processes', 'machine'];

const TONES: Readonly<Record<Severity, Tone>> = {
  ok: 'good',
  info: 'calm',
  warning: 'warning',
  error: 'alarm',
};

const SEVERITY_WIDTH = 9;

/** The page of `rollcall doctor`: group by group, check by check. */
export function doctorLines(
  reports: readonly CheckReport[],
  problems: readonly Problem[],
  width: number | null,
): Line[] {
  const told = problemLines(problems, width);
  return [
    ...GROUPS.flatMap((group) => {
      const own = reports.filter((report) => report.group === group);
      if (own.length === 0) return [];
      return [line(group.toUpperCase(), 'heading'), ...own.flatMap((one) => checkLines(one, width)), line()];
    }),
    ...(told.length === 0 ? [] : [...told, line()]),
    ...wrap([], line(summaryOf(reports)), width),
  ];
}

function checkLines(report: CheckReport, width: number | null): Line[] {
  const { name, severity, problem, findings, looksAt } = report;
  const shown = findings.filter((finding) => finding.severity !== 'ok');
  const said = problem ?? (shown.length === 0 ? looksAt : count(shown.length, 'finding'));
  const head: Line = [
    span('  '),
    ...padLine([span(severity, TONES[severity])], SEVERITY_WIDTH),
    span(`${name}  `),
  ];
  return [
    ...wrap(head, line(problem === null ? said : `could not look: ${said}`, 'quiet'), width),
    ...memoryLines(report, width),
    ...byAdvice(shown).flatMap((alike) => findingLines(alike, width)),
  ];
}

function memoryLines({ findings }: CheckReport, width: number | null): Line[] {
  return memoryByClass(findings).flatMap(({ class: of, count: amount, memoryBytes }) =>
    wrap([span('           ')], line(`${of}: ${amount}, ${longBytes(memoryBytes)}`, 'quiet'), width),
  );
}

// What is mended in the same way is told of together, and the way once.
function byAdvice(findings: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const advice = JSON.stringify([finding.remedy === null, finding.advice]);
    groups.set(advice, [...(groups.get(advice) ?? []), finding]);
  }
  return [...groups.values()];
}

function findingLines(findings: readonly Finding[], width: number | null): Line[] {
  const [first] = findings;
  const advice = first?.advice ?? [];
  const isFixable = first?.remedy != null;
  return [
    ...findings.flatMap((finding) => [
      ...wrap([span('    '), mark(finding)], line(textOf(finding)), width),
      ...evidenceOf(finding).flatMap((text) => wrap([span('        ')], line(text, 'quiet'), width)),
    ]),
    ...(isFixable ? [line('      --fix would:', 'quiet')] : []),
    ...advice.flatMap((step, index) =>
      wrap([span(isFixable ? `        ${index + 1}. ` : '      → ')], line(step, 'quiet'), width),
    ),
  ];
}

function mark({ severity }: Finding) {
  return span(severity === 'info' ? '· ' : '! ', TONES[severity]);
}

function textOf({ text, memoryBytes, class: of }: Finding): string {
  return `${text}${memoryBytes === undefined ? '' : `; ${longBytes(memoryBytes)}`} [${of}]`;
}

// Of what only deserves to be known, the sentence is enough; the document has the rest.
function evidenceOf({ severity, evidence }: Finding): readonly string[] {
  return severity === 'info' ? [] : evidence;
}

function summaryOf(reports: readonly CheckReport[]): string {
  const left = reports.flatMap(({ findings, problem }) => [
    ...findings.filter(({ severity }) => severity === 'warning' || severity === 'error'),
    ...(problem === null ? [] : [{ remedy: null }]),
  ]);
  if (left.length === 0) return `${count(reports.length, 'check')}, nothing that matters was found`;
  const fixable = left.filter(({ remedy }) => remedy !== null).length;
  const how = fixable === 0 ? 'none of them can be mended by --fix' : `--fix can mend ${fixable}`;
  return `${count(reports.length, 'check')}, ${count(left.length, 'finding')} that matter; ${how}`;
}
