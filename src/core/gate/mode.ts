/** What the gate may do with a stop: nothing, decide and only record it, or keep the proven owner going. */
export const GATE_MODES = ['off', 'shadow', 'enforce'] as const;
export type GateMode = (typeof GATE_MODES)[number];

/** Until somebody says otherwise: watch before you block. */
export const DEFAULT_GATE_MODE: GateMode = 'shadow';

/** The modes as they are kept. */
interface KeptModes {
  readonly user: GateMode | null;
  /** By the root of the project. */
  readonly projects: Readonly<Record<string, GateMode>>;
  /** Why they could not be read. */
  readonly problem: string | null;
}

/** What the gate may do in a project: the project's own word, else the user's. What cannot be read never enforces. */
export function effectiveMode({ user, projects, problem }: KeptModes, project: string | null): GateMode {
  if (problem !== null) return DEFAULT_GATE_MODE;
  const own = project !== null && Object.hasOwn(projects, project) ? projects[project] : undefined;
  return own ?? user ?? DEFAULT_GATE_MODE;
}
