import type { Lane } from './cast.ts';
import { EXITS } from './exits.ts';
import type { AgentKind } from './install.ts';
import { SCENES } from './scenes.ts';
import { claude } from './specimens/claude.ts';
import { codex } from './specimens/codex.ts';
import { gemini } from './specimens/gemini.ts';
import { opencode } from './specimens/opencode.ts';
import type { Specimen, Variant } from './specimens/specimen.ts';

/** What the person who starts a run asks for. */
export interface Wish {
  readonly agents: readonly AgentKind[];
  readonly hooks: readonly boolean[];
  /** Only these states; every one otherwise. */
  readonly states: readonly string[] | null;
  readonly isQuick: boolean;
}

/** Every agent that is driven. */
export const SPECIMENS: Readonly<Record<AgentKind, Specimen>> = { claude, codex, gemini, opencode };
const ALL = Object.keys(SCENES);
// Where a narrow or motionless screen tells less.
const SOME = ['silent', 'stall', 'quiet', 'permission', 'background', 'after-turn', 'draft'];
const QUICK = ['fresh', 'silent', 'permission', 'background', 'after-turn', 'draft'];

/** Every state that `--states` may name. */
export const STATES: readonly string[] = [...ALL, 'trust', 'pair', ...EXITS];

interface Plan {
  readonly name: string;
  readonly kind: AgentKind;
  readonly variant: Variant;
  readonly isWhole: boolean;
  readonly columns: number;
  readonly isPair?: boolean;
}

const PLANS: readonly Plan[] = [
  { name: 'claude', kind: 'claude', variant: {}, isWhole: true, columns: 120 },
  { name: 'codex', kind: 'codex', variant: {}, isWhole: true, columns: 120 },
  { name: 'gemini', kind: 'gemini', variant: {}, isWhole: true, columns: 120 },
  { name: 'opencode', kind: 'opencode', variant: {}, isWhole: true, columns: 120 },
  {
    name: 'codex-daemon',
    kind: 'codex',
    variant: { isDaemon: true },
    isWhole: true,
    columns: 120,
    isPair: true,
  },
  {
    name: 'claude-still-narrow',
    kind: 'claude',
    variant: { hasAnimations: false },
    isWhole: false,
    columns: 60,
  },
  {
    name: 'codex-still-narrow',
    kind: 'codex',
    variant: { hasAnimations: false },
    isWhole: false,
    columns: 60,
  },
  { name: 'gemini-narrow', kind: 'gemini', variant: {}, isWhole: false, columns: 60 },
  { name: 'opencode-port-narrow', kind: 'opencode', variant: { port: 4096 }, isWhole: false, columns: 60 },
];

/** The lanes of a run, the long ones first. */
export function lanesFor({ agents, hooks, states, isQuick }: Wish): Lane[] {
  const plans = PLANS.filter(({ kind, isWhole }) => agents.includes(kind) && (isWhole || !isQuick));
  const isWanted = (state: string) => states === null || states.includes(state);
  const lanes = plans.flatMap((plan) =>
    hooks.map((hasHooks): Lane => {
      const scenes = isQuick ? QUICK : plan.isWhole ? ALL : SOME;
      const port = plan.variant.port === undefined ? {} : { port: plan.variant.port + Number(hasHooks) };
      return {
        name: `${plan.name}${hasHooks ? '+hooks' : ''}`,
        specimen: SPECIMENS[plan.kind],
        variant: { ...plan.variant, ...port },
        columns: plan.columns,
        hasHooks,
        scenes: scenes.filter(isWanted),
        exits: plan.isWhole ? EXITS.filter((exit) => isWanted(exit) && (!isQuick || exit === 'sigkill')) : [],
        hasTrust: plan.isWhole && isWanted('trust'),
        isPair: plan.isPair === true && isWanted('pair'),
      };
    }),
  );
  return lanes.filter((lane) => lane.scenes.length + lane.exits.length > 0 || lane.hasTrust || lane.isPair);
}
