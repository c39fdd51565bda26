import { toGateStatusDocument } from '../../contract/gate-documents.ts';
import type { GateContract } from '../../core/gate/contract.ts';
import { isOverdue } from '../../core/gate/early.ts';
import { effectiveMode } from '../../core/gate/mode.ts';
import { gateStatus } from '../../engine/gate/gate-status.ts';
import type { GateParts } from '../../engine/gate/parts.ts';
import { defineCommand } from '../frame/command.ts';
import { isColor } from '../frame/is-color.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { writeJson } from '../frame/write-json.ts';
import { printLines } from '../render/line.ts';
import { serverWords, takeRoll } from '../roll/take-roll.ts';
import { checkProgress } from './check-progress.ts';
import { contractsMeant } from './find-contract.ts';
import { CONTRACT_WORD, PANE_FLAG, requireSessionFor } from './flags.ts';
import { gateStatusLines } from './render-status.ts';

export const gateStatusCommand = defineCommand({
  name: 'gate status',
  summary: 'Show which agents are to go on, and what is missing.',
  usage: ['rollcall gate status [SESSION] [--all] [--run] [flags]'],
  description: [
    'Shows every open contract: its owner, every check with its last result and how old that is, how often the owner was kept going, and the mode and switch that hold. Results come from the stops; --run looks at every check now, which runs its commands.',
  ],
  flags: {
    all: { kind: 'switch', help: 'Those too that ended in the last days.' },
    run: { kind: 'switch', help: 'Look at every check of the open ones now.' },
    pane: PANE_FLAG,
  },
  positional: {
    ...CONTRACT_WORD,
    help: 'Only of this session (name, $id, %pane or key), or the contract with this id.',
  },
  examples: [
    { command: 'rollcall gate status', what: 'what is asked of whom' },
    { command: 'rollcall gate status fix-12 --run', what: 'what is missing right now' },
    { command: "rollcall gate status --json | jq '.contracts[] | {id, task, stale}'", what: 'for programs' },
  ],
  exits: [
    { name: 'done', when: 'it was shown, whatever it is' },
    { name: 'failed', when: 'a server that may hold the session is silent' },
    { name: 'usage', when: 'an unknown flag or value' },
    { name: 'not-found', when: 'no session has this name, and no contract this id' },
    { name: 'ambiguous', when: 'several sessions have this name; they are listed' },
  ],
  run: async ({ flags, words: [word], surroundings }) => {
    requireSessionFor(flags.pane, word);
    const { stdout, stderr, now, cwd } = surroundings;
    const parts = await surroundings.gate();
    const at = now();
    const named = await namedBy(surroundings, parts, { word, pane: flags.pane, server: flags.server });
    const { onCheck, end } = checkProgress(stderr);
    const status = await gateStatus(parts, {
      ...{ now: at, run: flags.run },
      only: (contract) => named(contract) && (flags.all || contract.id === word || isOpen(contract, at)),
      onCheck: (_, check, result) => onCheck(check, result),
    }).finally(end);
    const { contracts, damaged, modes, switch: switchedOff } = status;
    const mode = effectiveMode(modes, await parts.projectOf(cwd));
    const problems = problemsOf(parts, damaged, modes.problem);
    if (flags.json) writeJson(stdout, toGateStatusDocument(contracts, { at, mode, switchedOff, problems }));
    else {
      const view = { mode, switchedOff, problems, isAll: flags.all };
      const lines = gateStatusLines(contracts, view, at, stdout.columns);
      stdout.write(printLines(lines, isColor(flags, surroundings)));
    }
    return 0;
  },
});

function isOpen(contract: GateContract, now: number): boolean {
  return contract.phase === 'open' && !isOverdue(contract, now);
}

interface Wanted {
  readonly word: string | undefined;
  readonly pane: string | undefined;
  readonly server: readonly string[];
}

// Only a name needs a look at the sessions.
async function namedBy(
  surroundings: Surroundings,
  { store }: GateParts,
  { word, pane, server }: Wanted,
): Promise<(contract: GateContract) => boolean> {
  if (word === undefined) return () => true;
  const { contracts } = store.contracts();
  if (contracts.some(({ id }) => id === word)) return ({ id }) => id === word;
  const roll = await takeRoll(surroundings, serverWords(server, surroundings));
  const meant = new Set(contractsMeant(contracts, roll, word, pane ?? null).map(({ id }) => id));
  return ({ id }) => meant.has(id);
}

function problemsOf({ store }: GateParts, damaged: readonly string[], modeProblem: string | null): string[] {
  return [
    ...(store.problem === null ? [] : [store.problem]),
    ...damaged.map((file) => `a contract cannot be read, and holds nobody: ${file}`),
    ...(modeProblem === null || modeProblem === store.problem ? [] : [`${modeProblem}; nothing is enforced`]),
  ];
}
