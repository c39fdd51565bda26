import { nearest } from '../../config/nearest.ts';
import { Failure } from '../../operations/failure.ts';
import type { FlagSpecs } from './command.ts';
import { flagNamed, isFlag } from './parse-argv.ts';

/** The command that was called, and the arguments without its name. */
export interface CommandCall {
  readonly name: string;
  readonly rest: readonly string[];
}

/**
 * The first word names the command; when it names none, it is a pattern for the default one. Behind `--` there are no
 * commands, so a session that is called like one can still be named.
 */
export function findCommand(
  argv: readonly string[],
  names: readonly string[],
  defaultName: string,
  specs: FlagSpecs,
): CommandCall {
  const [first, second] = wordPositions(argv, specs);
  const word = first === undefined ? undefined : argv[first];
  if (first === undefined || word === undefined) return { name: defaultName, rest: argv };
  if (names.includes(word)) {
    // A command that is also a group: its member follows at once, so that `lock --name status -- x` is still a lock.
    const member = `${word} ${argv[first + 1]}`;
    if (names.includes(member))
      return { name: member, rest: argv.filter((_, at) => at !== first && at !== first + 1) };
    return { name: word, rest: argv.filter((_, at) => at !== first) };
  }
  const members = names.filter((name) => name.startsWith(`${word} `));
  if (members.length === 0) return { name: defaultName, rest: argv };
  const name = `${word} ${second === undefined ? '' : argv[second]}`;
  if (!members.includes(name)) throw incomplete(word, name, members);
  return { name, rest: argv.filter((_, at) => at !== first && at !== second) };
}

function wordPositions(argv: readonly string[], specs: FlagSpecs): number[] {
  const positions: number[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const token = argv[at] ?? '';
    if (token === '--') break;
    if (!isFlag(token)) {
      positions.push(at);
      continue;
    }
    const spec = flagNamed(token, specs)?.spec;
    if (spec !== undefined && spec.kind !== 'switch' && !token.includes('=')) at += 1;
  }
  return positions;
}

function incomplete(word: string, name: string, members: readonly string[]): Failure {
  const [near] = name === `${word} ` ? [] : nearest(name, members);
  const wanted = (near === undefined ? members : [near]).map((member) => `rollcall ${member}`).join(' or ');
  return new Failure(
    'usage',
    name === `${word} ` ? `${word} needs a second word` : `unknown command ${name}`,
    {
      hint: `write ${wanted}; for a session of this name, rollcall -- ${word}`,
    },
  );
}
