import type { JsonObject } from '../ledger/json.ts';
import { listIn, objectIn, textIn, wordsIn } from '../ledger/json-values.ts';
import { shownCommand } from '../mask-secrets.ts';
import { programName, SHELLS } from '../program.ts';
import { commandsIn } from '../start-command.ts';

/** What runs again in a pane, and what does not. */
export interface PaneCommand {
  /** As tmux takes it; null for a plain shell. */
  readonly command: readonly string[] | null;
  /** Where it was started, where that is known. */
  readonly cwd?: string;
  readonly missing: readonly string[];
}

/**
 * A pane's own command runs again where it still ran when the pane was kept. One that had ended is not: whoever started it
 * had what they wanted. What was typed into a shell was never the pane's own.
 */
export function paneCommand(paneId: string, pane: JsonObject, shown: JsonObject | null): PaneCommand {
  const root = rootOf(pane);
  const own = shown?.command;
  if (own === undefined || own === null) {
    const isLost = own === null && root !== null && root.role !== 'shell';
    return {
      command: null,
      missing: isLost ? [`pane ${paneId}: its command is too long to be run again`] : [],
    };
  }
  const command = wordsIn(own) ?? [];
  const cwd = textIn(shown?.cwd);
  if (pane.isDead !== true && root !== null && mayBe(root, command)) {
    return { command, ...(cwd !== null && { cwd }), missing: [] };
  }
  const text = shownCommand(command, 500);
  return {
    command: null,
    missing: [`pane ${paneId}: it had ended, or a part of it, and is not run again: ${text}`],
  };
}

/** What stands behind the variables that `rollcall run` puts before a program. */
export function startedWords(command: readonly string[]): readonly string[] {
  const at = command.findLastIndex((word) => word.startsWith('ROLLCALL_OWNER='));
  return command.slice(at + 1);
}

/** Whether a pane's own process is a shell, which runs what is typed into it. */
export function isShell(pane: JsonObject): boolean {
  return rootOf(pane)?.role === 'shell';
}

function rootOf(pane: JsonObject): JsonObject | null {
  return (
    listIn(pane.processes)
      .map(objectIn)
      .find((note) => note?.relation === 'root') ?? null
  );
}

// A shell is left where a command has ended (`make; exec bash`), unless the command was nothing but that shell.
function mayBe(root: JsonObject, command: readonly string[]): boolean {
  const words = startedWords(command);
  if (root.role !== 'shell') return words.length < command.length || isOneCommand(words);
  const [line = '', ...more] = words;
  const name = textIn(root.program);
  return commandsIn([line, ...more].join(' ')).every(([first = '']) => programName(first) === name);
}

// Of several the first may have done their work (`deploy; tail -f log`). What rollcall itself started is meant as a whole.
function isOneCommand(words: readonly string[]): boolean {
  const [first = '', last = first] = [words[0], words.at(-1)];
  const text = words.length === 1 || SHELLS.has(programName(first)) ? last : '';
  return !/[;&|\n`(){}]/.test(text.replace(/\d*>&[\d-]*|&>/g, ''));
}
