import { EXIT_CODES } from '../../core/exit-codes.ts';
import { Failure } from '../../operations/failure.ts';
import { FILTER_FLAGS } from '../roll/filter-flags.ts';
import type { Command, Invocation } from './command.ts';
import { findCommand } from './find-command.ts';
import { GLOBAL_FLAGS } from './global-flags.ts';
import { COMMAND_NAMES, type CommandName, HIDDEN_NAMES, loadCommand } from './load-command.ts';
import type { Outside } from './outside.ts';
import { parseArgv } from './parse-argv.ts';
import { reportFailure } from './report-failure.ts';
import { surroundingsOf } from './surroundings-of.ts';

/** Runs one command line and gives its exit code. Every failure ends here, and nothing is loaded that is not needed. */
export async function runCli(argv: readonly string[], outside: Outside): Promise<number> {
  const isJson = beforeWords(argv).includes('--json');
  let exitCode: number;
  try {
    exitCode = await dispatch(argv, outside);
  } catch (error) {
    exitCode = reportFailure(error, { ...outside, isJson });
  }
  try {
    // Nobody reads on, which is fine; but that a guarded session died must not be lost with the reader.
    const isQuiet =
      (await outside.settled()) === 'closed' && exitCode !== EXIT_CODES['infrastructure-failure'].code;
    return isQuiet ? 0 : exitCode;
  } catch (error) {
    return reportFailure(error, { ...outside, isJson: false });
  }
}

async function dispatch(argv: readonly string[], outside: Outside): Promise<number> {
  const isHelp = beforeWords(argv).some((token) => token === '--help' || token === '-h');
  if (isHelp) return help(argv, outside);
  const call = callOf(argv);
  const command = await loadCommand(call.name);
  const parsed = parseArgv(call.rest, { ...GLOBAL_FLAGS, ...command.flags });
  const flags = parsed.flags as Invocation['flags'];
  if (flags.version) {
    const { printVersion } = await import('../help/version.ts');
    return printVersion({ flags, surroundings: outside });
  }
  checkWords(command, parsed.words);
  const { surroundings, ready } = surroundingsOf(argv, outside, flags.config);
  if (command.settings !== 'late') await ready();
  const others = { commandNames: COMMAND_NAMES, commands: loadAll };
  return command.run({ flags, words: parsed.words, surroundings, ...others });
}

// Asked for help, rollcall helps, whatever else is wrong with the line.
async function help(argv: readonly string[], { stdout }: Outside): Promise<number> {
  const { helpFor } = await import('../help/help-text.ts');
  stdout.write(helpFor(helpTopic(argv), await loadAll(), stdout.columns));
  return 0;
}

function helpTopic(argv: readonly string[]): string {
  try {
    const { name, rest } = callOf(argv);
    const isNamed = rest.length < argv.length;
    return isNamed && COMMAND_NAMES.some((known) => known === name) ? name : '';
  } catch {
    return '';
  }
}

function callOf(argv: readonly string[]): { name: CommandName; rest: readonly string[] } {
  const names = [...COMMAND_NAMES, ...HIDDEN_NAMES];
  const call = findCommand(argv, names, 'roll', { ...GLOBAL_FLAGS, ...FILTER_FLAGS });
  return call as { name: CommandName; rest: readonly string[] };
}

function loadAll(): Promise<readonly Command[]> {
  return Promise.all(COMMAND_NAMES.map(loadCommand));
}

function beforeWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

function checkWords({ name, positional, usage }: Command, words: readonly string[]): void {
  const { min, max, placeholder } = positional ?? { min: 0, max: 0, placeholder: '' };
  const hint = `usage: ${usage[0]}`;
  if (words.length < min) throw new Failure('usage', `${name} needs ${placeholder}`, { hint });
  if (words.length > max) {
    const message =
      max === 0 ? `${name} takes no words` : `${name} takes only ${max} ${max === 1 ? 'word' : 'words'}`;
    throw new Failure('usage', `${message}: '${words[max]}' is too much`, { hint });
  }
}
