import { workBefore } from '../agent/launcher.ts';
import { runsItsOwn } from '../close/left-running.ts';
import { programInLine, programInWords } from '../close/one-program.ts';
import { onlyShows } from '../close/only-shows.ts';
import { commandShown, programShown } from '../close/program-shown.ts';
import type { Reopening } from '../close/reopening.ts';
import type { RecogniseAgent } from '../sight/program.ts';

/**
 * The same with a shell in the place of a program that is no agent. It ran when its server went, so a part of its work may be
 * done, and it may start an agent with its first prompt: nobody has it run twice by bringing everything back.
 */
export function withoutProgram(whole: Reopening): Reopening {
  const { argv, line, ...rest } = whole;
  const words = argv ?? (line === undefined ? [] : [line]);
  const one = argv === null ? programInLine(line ?? '') : programInWords(argv);
  if (!runsItsOwn(whole) || onlyShows(one, words)) return whole;
  const text = `${commandShown(words)} is not started again, because a part of its work may be done; --programs starts it`;
  return { ...rest, argv: null, missing: [...whole.missing, text] };
}

/**
 * The same with a shell in the place of an agent that a script of one's own had launched (`./prepare.sh -- claude`): the script may
 * do its work again, and without it the agent may lack the sandbox that it was given.
 */
export function withoutLauncher(
  whole: Reopening,
  recogniseAgent: RecogniseAgent,
  isProgram: (path: string) => boolean,
): Reopening {
  const { agent, argv } = whole;
  if (agent === null || argv === null || recogniseAgent(argv) !== null) return whole;
  const before = argv.slice(0, argv.indexOf('--') + 1);
  const worker = workBefore(before, isProgram);
  if (worker === null) return whole;
  const talk = agent.conversation === null ? '' : ` (conversation ${agent.conversation})`;
  const text = `${agent.kind}${talk} is not started again, because ${programShown(worker)} may do work before it; --programs starts both`;
  return { ...whole, agent: null, argv: null, missing: [...whole.missing, text] };
}
