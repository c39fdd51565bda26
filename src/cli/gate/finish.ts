import { toGateEndedDocument } from '../../contract/gate-documents.ts';
import { effectiveMode } from '../../core/gate/mode.ts';
import { counted } from '../../core/text/counted.ts';
import { visible } from '../../core/text/visible.ts';
import { isTrouble } from '../../engine/act/trouble.ts';
import { finishGate } from '../../engine/gate/end-gate.ts';
import { failureOf } from '../../operations/failure.ts';
import { ONE_SESSION_EXITS } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { withHands } from '../frame/with-hands.ts';
import { writeJson } from '../frame/write-json.ts';
import { checkProgress } from './check-progress.ts';
import { CONTRACT_WORD, PANE_FLAG, requireSessionFor } from './flags.ts';
import { openContract } from './open-contract.ts';

export const gateFinishCommand = defineCommand({
  name: 'gate finish',
  summary: 'Declare the work that an agent was asked for finished.',
  usage: ['rollcall gate finish [SESSION] [--force] [flags]'],
  description: [
    'Looks at every check of the contract, which runs its commands, and ends it where all of them hold: the agent may stop from then on. Where something is missing, or cannot be told, it is refused with exit code 3 and says what; --force ends it all the same, and that is recorded.',
    'Without SESSION it is about the agent in whose pane this command runs, proven by the processes.',
  ],
  flags: {
    force: { kind: 'switch', help: 'Also where something is missing or cannot be told.' },
    pane: PANE_FLAG,
  },
  positional: CONTRACT_WORD,
  examples: {
    'rollcall gate finish': 'inside the agent’s session',
    'rollcall gate finish fix-12 --force': 'good enough',
  },
  exits: {
    done: 'it is finished',
    refused:
      'something is missing or cannot be told, it has ended before, or the session around this command cannot be proven',
    ...ONE_SESSION_EXITS,
  },
  run: async ({ flags, words: [word], surroundings }) => {
    requireSessionFor(flags.pane, word);
    return withHands(surroundings, async (hands) => {
      const { stdout, stderr, now } = surroundings;
      const parts = await surroundings.gate();
      const told = { hands, surroundings, flags };
      const meant = await openContract(told, parts, { command: 'gate finish', word, pane: flags.pane });
      const { onCheck, end } = checkProgress(stderr);
      const ended = await finishGate(hands, parts, meant, { isForced: flags.force, onCheck }).finally(end);
      if (isTrouble(ended)) throw failureOf(ended);
      const { contract, missing } = ended;
      const mode = effectiveMode(parts.store.modes(), contract.project);
      const isForced = missing.length > 0;
      if (flags.json) {
        writeJson(
          stdout,
          toGateEndedDocument({ contract, mode }, { result: 'finished', isForced, now: now() }),
        );
        return 0;
      }
      const despite = isForced
        ? `, although ${counted(missing.length, 'thing is', 'things are')} missing`
        : '';
      stdout.write(`${visible(`${contract.owner.session.name}: finished${despite}`)}\n`);
      for (const text of missing) stdout.write(`  ${visible(text)}\n`);
      return 0;
    });
  },
});
