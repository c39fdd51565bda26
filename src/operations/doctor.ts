import { toDoctorDocument } from '../contract/doctor-document.ts';
import type { DoctorDocument } from '../contract/doctor-schema.ts';
import type { Input } from '../contract/operations.ts';
import type { DoctorFacts } from '../core/doctor/facts.ts';
import type { CheckReport, Mending } from '../core/doctor/finding.ts';
import { problemsOn } from '../core/doctor/narrow.ts';
import { diagnose } from '../engine/doctor/diagnose.ts';
import type { Doctor } from '../engine/doctor/mender.ts';
import type { At } from './at.ts';
import { requireServers } from './look-for.ts';

/** Which checks are run, over which servers (socket paths); all of them where none is named. */
export interface Examination {
  readonly only: readonly string[];
  readonly servers: readonly string[];
}

/** What one run saw and made of it. */
export interface DoctorRun {
  readonly facts: DoctorFacts;
  readonly reports: readonly CheckReport[];
}

/** What is found is the answer, and no failure: nothing is mended here. */
export async function doctor(
  input: Input<'doctor'>,
  at: Pick<At, 'doctor' | 'socketOf'>,
): Promise<DoctorDocument> {
  const servers = (input.servers ?? []).map((word) => at.socketOf(word));
  const examined = await lookAround(await at.doctor(), { only: input.only ?? [], servers });
  return examinedDocument(examined, servers);
}

/** Gathers and runs the checks, telling how far it is. */
export async function lookAround(
  from: Pick<Doctor, 'gather'>,
  { only, servers }: Examination,
  say: (text: string) => void = () => {},
): Promise<DoctorRun> {
  const facts = await from.gather((step) => say(`looking at ${WORDS[step]}`));
  requireServers(facts.roll, servers);
  const reports = diagnose(facts, only, servers, (name) => say(`checking ${name}`));
  return { facts, reports };
}

const WORDS = {
  sessions: 'sessions and processes',
  ledger: 'the ledger',
  processes: 'what no session has',
  machine: 'the machine',
} as const;

/** All of it as a document, with what was or would be mended. */
export function examinedDocument(
  { facts, reports }: DoctorRun,
  servers: readonly string[],
  mendings: readonly Mending[] = [],
): DoctorDocument {
  const problems = problemsOn(facts.roll.problems, servers);
  return toDoctorDocument({ ...facts.roll, problems }, reports, mendings);
}
