import { type Attributed, attributeAll } from '../../core/doctor/attribute.ts';
import { type CheckReport, isBlind, type Mending } from '../../core/doctor/finding.ts';
import { problemsOn } from '../../core/doctor/narrow.ts';
import { EXIT_CODES } from '../../core/exit-codes.ts';
import { mendableAmong, mendableIn } from '../../engine/doctor/fix.ts';
import type { Doctor, Mendable } from '../../engine/doctor/mender.ts';
import * as operation from '../../operations/doctor.ts';
import { Failure } from '../../operations/failure.ts';
import { isColor } from '../frame/is-color.ts';
import { writeJson } from '../frame/write-json.ts';
import { printLines } from '../render/line.ts';
import type { DoctorCall } from './call.ts';
import { mendingLines } from './mendings.ts';
import { doctorProgress } from './progress.ts';
import { doctorLines } from './report.ts';

type Examined = operation.DoctorRun;

/** Looks, reports, and says what `--fix` would do where that was asked for. Gives the exit code. */
export async function examine(call: DoctorCall): Promise<number> {
  const { flags, surroundings } = call;
  const examined = await lookAround(call, await surroundings.doctor(surroundings.cwd));
  const planned = flags.fix ? wantedIn(call, examined).map(wouldMend) : [];
  show(call, examined, planned);
  return exitOf(examined.reports);
}

/** What this call would mend: what it names by its pid, else everything that can be. */
export function wantedIn({ flags }: DoctorCall, { facts, reports }: Examined): Mendable[] {
  if (flags.pids.length === 0) return mendableIn(reports, flags.only);
  const found = mendableAmong(reports, flags.pids);
  const others = flags.pids.filter((pid) => !found.some(({ finding }) => finding.pid === pid));
  if (others.length === 0) return found;
  // Also of those that no check lists, another user's above all.
  const told = attributeAll(facts).find(({ stranger }) => others.includes(stranger.process.pid));
  throw new Failure(
    'usage',
    `nothing was mended: not a process that was left running: ${others.join(', ')}`,
    {
      hint: told === undefined ? 'rollcall doctor lists what was left running' : whyNot(told),
    },
  );
}

function whyNot({ class: of, text }: Attributed): string {
  const mayEnd = of === 'left-running' || of === 'ours-orphaned';
  return mayEnd ? `${text}; --server or --only leaves it out` : text;
}

/** Gathers and runs the checks, telling how far it is. */
export async function lookAround({ flags, surroundings }: DoctorCall, doctor: Doctor): Promise<Examined> {
  const progress = doctorProgress(surroundings.stderr);
  try {
    return await operation.lookAround(doctor, flags, (text) => progress.say(text));
  } finally {
    progress.end();
  }
}

/** Prints what was found and, where there is any, what was or would be mended. */
export function show(
  { flags, surroundings }: DoctorCall,
  examined: Examined,
  mendings: readonly Mending[],
): void {
  const { stdout } = surroundings;
  if (flags.json) {
    writeJson(stdout, operation.examinedDocument(examined, flags.servers, mendings));
    return;
  }
  const { facts, reports } = examined;
  const problems = problemsOn(facts.roll.problems, flags.servers);
  const lines = [
    ...doctorLines(reports, problems, stdout.columns),
    ...mendingLines(mendings, stdout.columns),
  ];
  stdout.write(printLines(lines, isColor(flags, surroundings)));
}

/** What is only worth knowing leaves the exit code at 0; what could not be looked at never does, and weighs most. */
export function exitOf(reports: readonly CheckReport[]): number {
  if (reports.some(isBlind)) return EXIT_CODES['infrastructure-failure'].code;
  return reports.some(({ severity }) => severity === 'warning' || severity === 'error') ? 1 : 0;
}

function wouldMend({ check, finding }: { check: string; finding: Mending['finding'] }): Mending {
  return { check, finding, result: 'would-mend', text: 'would be mended, if it is still so then' };
}
