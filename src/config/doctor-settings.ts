const DAY = 24 * 60 * 60 * 1000;

/** What the doctor calls forgotten. It concerns all sessions of the machine, so a project has no say. */
export const DOCTOR_SETTINGS = [
  {
    key: 'doctor.orphanPatterns',
    kind: 'patterns',
    default: [],
    min: 0,
    max: 256,
    projectMay: 'nothing',
    means:
      'Sessions with such a name belong to somebody, and `rollcall doctor` calls them orphaned when nobody owns them. `GLOB=OWNER` names whose they are: a folder (an absolute path) or `pid:PID.START`; without it they are orphaned when they name no owner.',
    why: 'Nothing is an orphan by its name alone: a name with a hyphen in it is a name.',
  },
  {
    key: 'doctor.staleHoldAfter',
    kind: 'duration',
    default: 30 * DAY,
    min: DAY,
    max: 3650 * DAY,
    projectMay: 'nothing',
    means: 'A hold that is older is told of by `rollcall doctor`; it is never taken back for that.',
    why: 'Whoever held a session for a release or a holiday is back by then.',
  },
] as const;

interface DoctorValues {
  readonly 'doctor.orphanPatterns': readonly string[];
  readonly 'doctor.staleHoldAfter': number;
}

export interface DoctorSettings {
  readonly orphanPatterns: readonly { readonly pattern: string; readonly owner: string | null }[];
  readonly staleHoldMs: number;
}

/** Gives each value its place and its unit in the name. */
export function toDoctorSettings(values: DoctorValues): DoctorSettings {
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
