import { type CheckReport, isBlind, type Mending } from '../../core/doctor/finding.ts';
import { counted } from '../../core/text/counted.ts';
import { CLOSE_TIMINGS } from '../../engine/act/close/order.ts';
import { fix } from '../../engine/doctor/fix.ts';
import type { Mendable } from '../../engine/doctor/mender.ts';
import { askYes } from '../frame/ask.ts';
import { isColor } from '../frame/is-color.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { withHands } from '../frame/with-hands.ts';
import { printLines } from '../render/line.ts';
import type { DoctorCall } from './call.ts';
import { exitOf, lookAround, show, wantedIn } from './examine.ts';
import { mendingLines } from './mendings.ts';

/** Looks, asks for each check, mends, and looks again: what is left then decides the exit code. */
export function mendAll(call: DoctorCall): Promise<number> {
  const { flags, surroundings } = call;
  const { stdout } = surroundings;
  return withHands(surroundings, async (hands) => {
    const doctor = await surroundings.doctor(surroundings.cwd);
    const before = await lookAround(call, doctor);
    const mendable = wantedIn(call, before);
    if (mendable.length === 0) {
      show(call, before, []);
      return exitOf(before.reports);
    }
    if (!flags.json) show(call, before, []);
    const wanted = flags.yes ? mendable : await asked(mendable, surroundings);
    const mender = {
      ...doctor,
      hands,
      argv: surroundings.argv,
      timings: CLOSE_TIMINGS,
      isForced: flags.force,
    };
    const isPainted = isColor(flags, surroundings);
    const tell = (mending: Mending) => {
      if (!flags.json) stdout.write(printLines(mendingLines([mending], stdout.columns), isPainted));
    };
    const mendings = await fix(mender, wanted, tell);
    const after = await lookAround(call, doctor);
    if (flags.json) show(call, after, mendings);
    else stdout.write(`${summary(mendings, after.reports)}\n`);
    return exitOf(after.reports);
  });
}

// All findings of one check together: whoever reads them knows then what a yes means.
async function asked(mendable: readonly Mendable[], surroundings: Surroundings): Promise<Mendable[]> {
  const wanted: Mendable[] = [];
  for (const check of new Set(mendable.map((one) => one.check))) {
    const group = mendable.filter((one) => one.check === check);
    const question = `Mend ${counted(group.length, 'finding')} of ${check}?`;
    if (await askYes(question, surroundings)) wanted.push(...group);
  }
  return wanted;
}

function summary(mendings: readonly Mending[], reports: readonly CheckReport[]): string {
  const mended = mendings.filter(({ result }) => result === 'mended').length;
  const left = reports.some(isBlind)
    ? 'not everything could be looked at: rollcall doctor'
    : exitOf(reports) === 0
      ? 'nothing that matters is left'
      : 'findings are left: rollcall doctor';
  return `${mended} of ${counted(mendings.length, 'finding')} mended; ${left}`;
}
