import type { CheckReport, Mending } from '../../core/doctor/finding.ts';
import { endOrphans } from './end-orphans.ts';
import { mendOthers } from './mend-other.ts';
import type { EndMendable, Mendable, Mender } from './mender.ts';

/** Everything in reports that could be mended; what is optional only where its check is named. */
export function mendableIn(reports: readonly CheckReport[], named: readonly string[] = []): Mendable[] {
  return reports.flatMap(({ name, findings, problem }) =>
    findings.flatMap((finding) => {
      const { remedy } = finding;
      if (problem !== null || remedy === null) return [];
      return 'isOptional' in remedy && !named.includes(name) ? [] : [{ check: name, finding, remedy }];
    }),
  );
}

/** What a person named by its pid, and nothing else; of numbers that nothing may be done about, none. */
export function mendableAmong(reports: readonly CheckReport[], pids: readonly number[]): Mendable[] {
  return reports.flatMap(({ name, findings, problem }) =>
    findings.flatMap((finding) => {
      const { onRequest: remedy, pid } = finding;
      const isMeant = problem === null && pid !== undefined && pids.includes(pid);
      return isMeant && remedy !== undefined ? [{ check: name, finding, remedy }] : [];
    }),
  );
}

/** Mends findings, one remedy after the other. Each is proven again right before; what is not so any more is left alone. */
export async function fix(
  mender: Mender,
  wanted: readonly Mendable[],
  onMending: (mending: Mending) => void = () => {},
): Promise<Mending[]> {
  const done: Mending[] = [];
  const tell = (mending: Mending) => {
    done.push(mending);
    onMending(mending);
  };
  await endOrphans(mender, wanted.filter(isProcess), tell);
  const others = wanted.filter((one) => !isProcess(one));
  await mendOthers(mender, others, tell);
  return done;
}

function isProcess(one: Mendable): one is EndMendable {
  return one.remedy.kind === 'end-process';
}
