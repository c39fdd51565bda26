import { toReapModeDocument } from '../../contract/reap-documents.ts';
import { REAP_MODES, type ReapMode } from '../../core/reaper/standing.ts';
import { createModeWatch } from '../../engine/reaper/effective-mode.ts';
import { modeNote } from '../../engine/reaper/notes.ts';
import { Failure } from '../../operations/failure.ts';
import { withLedger } from '../../operations/with-hands.ts';
import { defineCommand } from '../frame/command.ts';
import { modeNamed } from '../frame/named.ts';
import { chosenWord } from '../frame/session-words.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { show } from '../render/show.ts';
import type { ReapDesk } from './desk.ts';
import { reapModeLines } from './render-mode.ts';

export const reapModeCommand = defineCommand({
  name: 'reap mode',
  summary: 'Show or set what rollcall may do when memory runs short.',
  usage: ['rollcall reap mode [off|shadow|enforce] [flags]'],
  description: [
    'off: nothing at all. shadow, which holds until you say otherwise: it decides and records what it would close, and touches nothing. enforce: under memory pressure it closes managed sessions, one at a time, until pressure is over.',
    'In this order: what was declared complete and kept for its time, what is safe to close, and, from reaper.longIdleFrom on, agents that are idle for reaper.idleAfter and can be resumed. Nothing that works, waits, is attached, held, drafted in, busy in the background or not known is ever taken, nor anything that rollcall neither started nor adopted.',
    'A close that fails, or whose end nobody knows, makes the reaper fall back to shadow by itself. Setting the mode resets that.',
  ],
  positional: chosenWord('MODE', REAP_MODES, 'The mode from now on; without it, the one that holds.'),
  examples: {
    'rollcall reap mode': 'what holds now',
    'rollcall reap mode enforce': 'give memory back from now on',
    'rollcall reap mode --json | jq -r .mode': 'for programs',
  },
  exits: {
    done: 'it was shown or set',
    failed: 'it could not be kept or recorded',
    usage: 'no such mode, or a broken config file',
  },
  run: async ({ flags, words, surroundings }) => {
    const { modes, budgets } = await surroundings.reapDesk();
    const wish = modeNamed(words[0], REAP_MODES);
    if (wish !== null) await setMode(surroundings, modes, wish);
    const state = { ...createModeWatch(modes).read(), budget: budgets.read() };
    return show({ flags, surroundings }, toReapModeDocument(state), (width) =>
      reapModeLines(state, { isSet: wish !== null, now: surroundings.now(), width }),
    );
  },
});

// What lets rollcall close things is recorded before it holds; what keeps it from that holds in any case.
async function setMode(surroundings: Surroundings, modes: ReapDesk['modes'], to: ReapMode): Promise<void> {
  const { mode: from } = modes.read();
  const set = () => {
    const problem = modes.set(to);
    if (problem !== null) throw new Failure('failed', `the mode is not set: ${problem}`);
  };
  if (to !== 'enforce') set();
  await withLedger(surroundings.ledger, async (ledger) => {
    ledger.append(modeNote(from, to));
  });
  if (to === 'enforce') set();
}
