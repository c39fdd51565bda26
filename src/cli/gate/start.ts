import { toGateStartDocument } from '../../contract/gate-documents.ts';
import { REINFORCE } from '../../core/gate/check.ts';
import { effectiveMode } from '../../core/gate/mode.ts';
import { visible } from '../../core/text/visible.ts';
import { startGate } from '../../engine/gate/start-gate.ts';
import { orFail } from '../../operations/failure.ts';
import { paneIn } from '../../operations/find-contract.ts';
import { findOne, type OneSession } from '../../operations/one-session.ts';
import { findAround, type InsideParts } from '../declare/session-inside.ts';
import { ONE_SESSION_EXITS } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { choice, toggle, word, words } from '../frame/flags.ts';
import { ONE_SESSION } from '../frame/session-words.ts';
import { withHands } from '../frame/with-hands.ts';
import { show } from '../render/show.ts';
import { serverWords } from '../roll/take-roll.ts';
import { PANE_FLAG, requireSessionFor } from './flags.ts';
import { hookWarnings } from './hook-warnings.ts';
import { gateStartLines } from './render-start.ts';
import { STANDARD, startWish } from './start-wish.ts';

export const gateStartCommand = defineCommand({
  name: 'gate start',
  summary: 'Ask an agent to go on until its work is done.',
  usage: ['rollcall gate start [SESSION] [--task TASK] [--until CHECK…] [flags]'],
  description: [
    'Makes a contract with one agent: what has to hold before it stops. When it ends a turn and something is missing, it is told what, and goes on; at most --reinforce times in all, and never twice while nothing has changed. Then it is let go, and its session is stale with the reason. The mode decides whether this is done (enforce) or only recorded (shadow, the default): see rollcall gate mode.',
    'Without SESSION it is about the agent in whose pane this command runs, proven by the processes. The owner is stamped: its pane, its process and its conversation. No other agent is ever held by it, be it in the same folder, a subagent or a fork; and whatever goes wrong lets the agent stop.',
    'Checks: clean (nothing uncommitted), pushed (every commit is on a remote), file:PATH, todo (the agent’s own list is empty), todo:FILE (no open box in a Markdown file), command:LINE (it exits with 0). No shell reads a command: it is split into words as a shell would, and that is all. As JSON: {"check":"command","argv":["npm","test"],"cwd":"sub","timeout":"2m"}. Without any check only rollcall gate finish ends it.',
    'A command’s result holds as long as nothing in the work tree changes. At one stop all commands together have 4 minutes, whatever --timeout says: what is not done by then is not known, and lets the agent stop.',
  ],
  flags: {
    task: word('TASK', 'What is to be done; the agent is reminded of it.'),
    until: words('CHECK', 'What has to hold. May be repeated.'),
    reinforce: choice('TIMES', REINFORCE, 'How often it is kept going at most.', {
      default: STANDARD.reinforce,
    }),
    ttl: word('TIME', 'How long this is asked for: from 1m to 30d.', { default: STANDARD.ttl }),
    timeout: word('TIME', 'How long one command may take; at a stop all of them have 4m together.', {
      default: STANDARD.timeout,
    }),
    cwd: word('DIR', 'Where checks run. Without it the current folder, or with SESSION the agent’s.', {
      isFile: true,
    }),
    pane: PANE_FLAG,
    replace: toggle('Take the place of a contract that this agent has already.'),
  },
  positional: { ...ONE_SESSION, min: 0 },
  examples: {
    "rollcall gate start --task 'the parser' --until 'command:npm test'":
      'inside the agent’s session, for instance from the agent itself',
    'rollcall gate start fix-12 --until todo:PLAN.md --reinforce 5': 'from outside',
    'rollcall gate start fix-12 --until pushed --ttl 2h --replace': 'another one instead',
  },
  exits: {
    done: 'the contract is made',
    refused:
      'it has one already, no agent that can be kept going is there, or the session around this command cannot be proven',
    ...ONE_SESSION_EXITS,
  },
  run: async ({ flags, words: [word], surroundings }) => {
    const wish = startWish(flags, surroundings.cwd);
    requireSessionFor(flags.pane, word);
    return withHands(surroundings, async (hands) => {
      const told = { hands, surroundings, flags };
      const parts = await surroundings.gate();
      const { entry, paneId, cwd } = await agentMeant(told, word, flags.pane);
      const asked = { entry, paneId, ...wish, cwd: wish.cwd ?? cwd };
      const { contract, note, replaced } = orFail(await startGate(hands, parts, asked));
      const mode = effectiveMode(parts.store.modes(), contract.project);
      const unhooked = await hookWarnings(surroundings, contract.owner.agent.kind, contract.cwd);
      const warnings = [...(note === undefined ? [] : [note]), ...unhooked];
      const isReplaced = replaced !== null;
      const switchedOff = parts.store.switch();
      const shown = { contract, mode };
      const now = surroundings.now();
      const result = isReplaced ? 'replaced' : 'started';
      const document = toGateStartDocument(shown, { result, switchedOff, warnings, now });
      show({ flags, surroundings }, document, (width) =>
        gateStartLines(shown, { isReplaced, switchedOff, now, width }),
      );
      if (!flags.json) for (const text of warnings) surroundings.stderr.write(`! ${visible(text)}\n`);
      return 0;
    });
  },
});

// Inside, paths are meant as on any command line; from outside, as the agent would mean them.
async function agentMeant(
  told: InsideParts & { readonly flags: { readonly server: readonly string[] } },
  word: string | undefined,
  pane: string | undefined,
): Promise<OneSession & { readonly paneId: string | null; readonly cwd: string | null }> {
  if (word === undefined) {
    const around = await findAround(told, 'gate start', { isThorough: false });
    return { ...around, cwd: told.surroundings.cwd };
  }
  const servers = serverWords(told.flags.server, told.surroundings);
  return {
    ...(await findOne(told.hands, { session: word, servers })),
    paneId: pane ?? paneIn(word),
    cwd: null,
  };
}
