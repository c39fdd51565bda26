import { type GateModeState, toGateModeDocument } from '../../contract/gate-documents.ts';
import { effectiveMode, GATE_MODES, type GateMode } from '../../core/gate/mode.ts';
import type { GateParts } from '../../engine/gate/parts.ts';
import { setGateMode } from '../../engine/gate/set-mode.ts';
import { Failure, orFail } from '../../operations/failure.ts';
import { withLedger } from '../../operations/with-hands.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { defineCommand } from '../frame/command.ts';
import { toggle } from '../frame/flags.ts';
import { modeNamed } from '../frame/named.ts';
import { chosenWord } from '../frame/session-words.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { show } from '../render/show.ts';
import { gateModeLines } from './render-mode.ts';

export const gateModeCommand = defineCommand({
  name: 'gate mode',
  summary: 'Show or set what the stop gate may do.',
  usage: [
    'rollcall gate mode [off|shadow|enforce] [--project] [flags]',
    'rollcall gate mode --unset [--project] [flags]',
  ],
  description: [
    'off: every stop is let through. shadow, which holds until you say otherwise: it decides and records what it would have said, and nothing is blocked. enforce: the proven owner of unfinished work is kept going, as often as its contract says.',
    'It is yours, for everything you do; with --project it is for the repository around the current folder only, and counts before yours. It is kept in rollcall’s state folder, never in a project’s own files: a repository that you clone cannot switch it on. What cannot be read is shadow, never enforce.',
    'Judge shadow by rollcall gate report before you switch. rollcall gate off --now ends everything at once, whatever the mode.',
  ],
  flags: {
    project: toggle('For the repository around the current folder only.'),
    unset: toggle('Take it back: of a project yours holds then, of yours shadow.'),
  },
  positional: chosenWord('MODE', GATE_MODES, 'The mode from now on; without it, what holds is shown.'),
  examples: {
    'rollcall gate mode': 'what holds here, and who set it',
    'rollcall gate mode enforce --project': 'block in this repository only',
    'rollcall gate mode --unset --project': 'as everywhere else again',
    'rollcall gate mode --json | jq -r .mode': 'for programs',
  },
  exits: {
    done: 'it was shown or set',
    failed: 'it could not be kept or recorded',
    usage: 'no such mode, or flags that do not fit',
    'not-found': '--project outside of a repository',
  },
  run: async ({ flags, words: [word], surroundings }) => {
    const wish = modeNamed(word, GATE_MODES);
    if (flags.unset && wish !== null)
      throw new Failure('usage', '--unset goes with no mode', { hint: 'give one of them' });
    const parts = await surroundings.gate();
    const root = await parts.projectOf(surroundings.cwd);
    if (flags.project && root === null)
      throw new Failure('not-found', `${surroundings.cwd} is in no repository`, {
        hint: 'without --project the mode is yours, for everything',
      });
    const isSet = wish !== null || flags.unset;
    if (isSet) await setMode(surroundings, parts, flags.project ? root : null, wish);
    const state = modeState(parts, root);
    return show({ flags, surroundings }, toGateModeDocument(state), (width) =>
      gateModeLines(state, { isSet, now: surroundings.now(), width }),
    );
  },
});

async function setMode(
  surroundings: Surroundings,
  parts: GateParts,
  project: string | null,
  mode: GateMode | null,
): Promise<void> {
  await withLedger(
    () => ledgerOrNone(surroundings),
    async (ledger) => orFail(await setGateMode(ledger, parts, { project, mode })),
  );
}

// What keeps the gate from blocking must hold also where nobody can record it: the attempt fails when it is made.
async function ledgerOrNone({ ledger: open }: Surroundings): Promise<Pick<Ledger, 'append' | 'close'>> {
  try {
    return await open();
  } catch (error) {
    const append = () => {
      throw error;
    };
    return { append, close: () => {} };
  }
}

function modeState({ store }: GateParts, root: string | null): GateModeState {
  const { user, projects, problem } = store.modes();
  const mode = effectiveMode({ user, projects, problem }, root);
  return { mode, user, projects, problem, root, switchedOff: store.switch() };
}
