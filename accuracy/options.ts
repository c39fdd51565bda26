import type { AgentKind } from './install.ts';
import { AGENT_KINDS } from './install.ts';
import type { Wish } from './lanes.ts';
import { STATES } from './lanes.ts';

/** The command line of a run. */
export interface Options extends Wish {
  readonly isKept: boolean;
  /** Whole lives, from start to reopening, instead of single states. */
  readonly isLife: boolean;
  /** What killed agents leave behind, and what the doctor makes of it. */
  readonly isDoctor: boolean;
  /** Agents that want to stop, and what the gate makes of it. */
  readonly isGate: boolean;
  /** Only scenes of the gate, or stories of a life, whose name has one of these words in it; null: all. */
  readonly scenes: readonly string[] | null;
  /** Nothing was left out, so the result may stand in docs/. */
  readonly isWhole: boolean;
}

export const USAGE = `usage: npm run test:agents -- [--agents ${AGENT_KINDS.join(',')}] [--hooks with|without|both] [--states a,b] [--quick] [--keep]
       npm run test:agents -- --life [--agents …] [--scenes word,word] [--keep]
       npm run test:agents -- --doctor [--agents …] [--keep]
       npm run test:agents -- --gate [--agents …] [--scenes word,word] [--keep]
states: ${STATES.join(', ')}`;

/** Reads the command line; a sentence says what is wrong with it. */
export function parseOptions(argv: readonly string[]): Options | string {
  const given = new Map<string, string>();
  for (let index = 0; index < argv.length; index += 1) {
    const flag = argv[index] ?? '';
    if (['--quick', '--keep', '--life', '--doctor', '--gate'].includes(flag)) given.set(flag, '');
    else if (['--agents', '--hooks', '--states', '--scenes'].includes(flag)) {
      index += 1;
      given.set(flag, argv[index] ?? '');
    } else return `unknown argument ${flag}`;
  }
  const agents = listed(given.get('--agents')) ?? AGENT_KINDS;
  const strange = agents.find((kind) => !(AGENT_KINDS as readonly string[]).includes(kind));
  if (strange !== undefined) return `unknown agent ${strange}`;
  const states = listed(given.get('--states')) ?? null;
  const odd = states?.find((state) => !STATES.includes(state));
  if (odd !== undefined) return `unknown state ${odd}`;
  const hooks = { with: [true], without: [false], both: [false, true] }[given.get('--hooks') ?? 'both'];
  if (!hooks) return '--hooks takes with, without or both';
  const isQuick = given.has('--quick');
  const isLife = given.has('--life');
  const isDoctor = given.has('--doctor');
  const isGate = given.has('--gate');
  const runs = ['--life', '--doctor', '--gate'].filter((flag) => given.has(flag));
  if (runs.length > 1) return `${runs.join(' and ')} are ${runs.length === 2 ? 'two' : 'three'} runs`;
  const scenes = listed(given.get('--scenes')) ?? null;
  if (scenes !== null && !isGate && !isLife) return '--scenes belongs to --gate and --life';
  return {
    agents: agents as readonly AgentKind[],
    hooks,
    states,
    isQuick,
    isKept: given.has('--keep'),
    isLife,
    isDoctor,
    isGate,
    scenes,
    isWhole:
      !isQuick &&
      states === null &&
      scenes === null &&
      hooks.length === 2 &&
      agents.length === AGENT_KINDS.length,
  };
}

function listed(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
