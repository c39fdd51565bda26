import {
  type CheckReport,
  type Finding,
  isBlind,
  memoryByClass,
  type Severity,
} from '../../core/doctor/finding.ts';
import { grouped } from '../../core/grouped.ts';
import type { Problem } from '../../core/sight/roll.ts';
import { counted } from '../../core/text/counted.ts';
import { longBytes } from '../render/amounts.ts';
import type { Tone } from '../render/colour.ts';
import { type Line, line, padLine, span } from '../render/line.ts';
import { page, section } from '../render/page.ts';
import { paragraph, wrap } from '../render/wrap.ts';
import { problemLines } from '../roll/problems.ts';

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
  const groups = GROUPS.map((group) => {
    const own = reports.filter((report) => report.group === group);
    return section(
      group.toUpperCase(),
      own.flatMap((one) => checkLines(one, width)),
    );
  });
  return page([...groups, problemLines(problems, width), paragraph(summaryOf(reports), width)]);
}

function checkLines(report: CheckReport, width: number | null): Line[] {
  const { name, severity, findings } = report;
  const shown = findings.filter((finding) => finding.severity !== 'ok');
  const head: Line = [
    span('  '),
    ...padLine([span(severity, TONES[severity])], SEVERITY_WIDTH),
    span(`${name}  `),
  ];
  return [
    ...wrap(head, line(saidOf(report, shown), 'quiet'), width),
    ...memoryLines(report, width),
    ...byAdvice(shown).flatMap((alike) => findingLines(alike, width)),
  ];
}

function saidOf({ problem, unseen, looksAt, findings }: CheckReport, shown: readonly Finding[]): string {
  if (problem !== null) return `could not look: ${problem}`;
  const found = shown.length === 0 ? null : counted(shown.length, 'finding');
  // What a finding says is not said twice.
  const others = unseen.filter((text) => !findings.some((finding) => finding.text === text));
  if (others.length === 0) return found ?? looksAt;
  const dark = `could not look everywhere: ${others.join('; ')}`;
  return found === null ? dark : `${found}; ${dark}`;
}

function memoryLines({ findings }: CheckReport, width: number | null): Line[] {
  return memoryByClass(findings).flatMap(({ class: of, count: amount, memoryBytes }) =>
    paragraph(`${of}: ${amount}, ${longBytes(memoryBytes)}`, width, 11, 'quiet'),
  );
}

// What is mended in the same way is told of together, and the way once.
function byAdvice(findings: readonly Finding[]): Finding[][] {
  return [...grouped(findings, ({ remedy, advice }) => JSON.stringify([remedy === null, advice])).values()];
}

function findingLines(findings: readonly Finding[], width: number | null): Line[] {
  const [first] = findings;
  const advice = first?.advice ?? [];
  const isFixable = first !== undefined && isMended(first);
  return [
    ...findings.flatMap((finding) => [
      ...wrap([span('    '), mark(finding)], line(textOf(finding)), width),
      ...evidenceOf(finding).flatMap((text) => paragraph(text, width, 8, 'quiet')),
    ]),
    ...(isFixable ? [line('      --fix would:', 'quiet')] : []),
    ...advice.flatMap((step, index) =>
      wrap([span(isFixable ? `        ${index + 1}. ` : '      → ')], line(step, 'quiet'), width),
    ),
  ];
}

// A lost session may be wanted back: --fix lets it go only where its check is named.
function isMended({ remedy }: Finding): boolean {
  return remedy !== null && !('isOptional' in remedy);
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
  const checks = counted(reports.length, 'check');
  const left = reports.flatMap(({ findings }) =>
    findings.filter(
      ({ severity, isUnseen }) => (severity === 'warning' || severity === 'error') && !isUnseen,
    ),
  );
  const blind = reports.filter(isBlind).length;
  const dark = blind === 0 ? '' : `${counted(blind, 'check')} could not look everywhere`;
  if (left.length === 0) return `${checks}, ${dark === '' ? 'nothing that matters was found' : dark}`;
  const fixable = left.filter(isMended).length;
  const how = fixable === 0 ? 'none of them can be mended by --fix' : `--fix can mend ${fixable}`;
  const found = `${counted(left.length, 'finding')} that ${left.length === 1 ? 'matters' : 'matter'}; ${how}`;
  return `${checks}, ${found}${dark === '' ? '' : `; ${dark}`}`;
}
