import { duration } from './measure-kinds.ts';
import { setting, type ValuesOf } from './setting.ts';
import { patterns } from './word-kinds.ts';

/** What the doctor calls forgotten. It concerns all sessions of the machine, so a project has no say. */
export const DOCTOR_SETTINGS = {
  'doctor.orphanPatterns': setting(patterns(256), {
    default: [],
    means:
      'Sessions with such a name belong to somebody, and `rollcall doctor` calls them orphaned when nobody owns them. `GLOB=OWNER` names whose they are: a folder (an absolute path) or `pid:PID.START`; without it they are orphaned when they name no owner.',
    why: 'Nothing is an orphan by its name alone: a name with a hyphen in it is a name.',
  }),
  'doctor.staleHoldAfter': setting(duration('1d', '3650d'), {
    default: '30d',
    means: 'A hold that is older is told of by `rollcall doctor`; it is never taken back for that.',
    why: 'Whoever held a session for a release or a holiday is back by then.',
  }),
};

export interface DoctorSettings {
  readonly orphanPatterns: readonly { readonly pattern: string; readonly owner: string | null }[];
  readonly staleHoldMs: number;
}

/** Gives each value its place and its unit in the name. */
export function toDoctorSettings(values: ValuesOf<typeof DOCTOR_SETTINGS>): DoctorSettings {
  return {
    orphanPatterns: values['doctor.orphanPatterns'].map(toPattern),
    staleHoldMs: values['doctor.staleHoldAfter'],
  };
}

// The first `=` before something that can be an owner: names may have one, paths too.
function toPattern(written: string) {
  const match = /^(.+?)=(\/.*|pid:\d+(?:\.\d+)?)$/s.exec(written);
  return { pattern: match?.[1] ?? written, owner: match?.[2] ?? null };
}
