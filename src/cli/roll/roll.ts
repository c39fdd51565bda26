import { nearest } from '../../config/nearest.ts';
import type { RollDocument } from '../../contract/document-schemas.ts';
import { rollIn, toRollDocument } from '../../contract/roll-document.ts';
import type { Filter } from '../../operations/filter-sessions.ts';
import { narrowed } from '../../operations/look.ts';
import { requireTmux, tmuxMissing } from '../../operations/look-for.ts';
import { defineCommand } from '../frame/command.ts';
import { toggle } from '../frame/flags.ts';
import { isColor } from '../frame/is-color.ts';
import { throughDaemon } from '../frame/through-daemon.ts';
import { writeJson } from '../frame/write-json.ts';
import { FILTER_FLAGS, PATTERNS, toFilter } from './filter-flags.ts';
import { serverWords, takeRoll } from './take-roll.ts';

export const rollCommand = defineCommand({
  name: 'roll',
  summary: 'Show every session, worst first.',
  usage: ['rollcall [PATTERN…] [flags]', 'rollcall roll [PATTERN…] [flags]'],
  description: [
    'Looks once at every tmux server of this user and shows each session: its agent, what it is doing, what may be done with it, and the reason that decided. Looking changes nothing.',
    'Where $ROLLCALL_SOCKETS_WITHIN names a folder, rollcall keeps to the tmux servers whose socket lies in it, and to those on which it expects a session. So the jobs of one CI machine leave each other alone.',
    'This is the default command: its name may be left out, unless the first pattern is itself the name of a command.',
  ],
  flags: {
    ...FILTER_FLAGS,
    all: toggle(
      'Also sessions that were closed or have finished, with their receipts: the last 200. --lifecycle=closed shows only those.',
    ),
  },
  positional: PATTERNS,
  settings: 'late',
  examples: {
    rollcall: 'everything, worst first',
    'rollcall --lifecycle=stale,lost': 'what a person should look at',
    'rollcall --activity=waiting': 'who waits for me',
    "rollcall 'build-*' --server=work": 'some sessions of one tmux server',
    'rollcall --all': 'also what was closed or has finished',
    'rollcall -- -odd-name': 'a name that begins with a dash',
    "rollcall --json --lifecycle=safe-to-close | jq -r '.sessions[].name'": 'for programs',
  },
  exits: {
    done: 'the roll was printed, also when it is empty',
    failed: 'tmux is not installed, or a server that may hold a named session is silent',
    usage: 'an unknown flag or value, or a broken config file',
    'not-found': 'a name (not a pattern) that no session has, or no such server',
  },
  run: async ({ flags, words, surroundings, commandNames }) => {
    const { stdout } = surroundings;
    const servers = serverWords(flags.server, surroundings);
    const isWithClosed = flags.all || flags.lifecycle.includes('closed');
    const carried = await throughDaemon(surroundings, flags, `/v1/roll?fresh=true&all=${isWithClosed}`);
    const filter = toFilter(flags, words, servers);
    // What the daemon wrote is what this command would write.
    const isPlain = flags.json && !stdout.isTTY && isEverything(filter);
    if (carried !== null && isPlain && !carried.includes('"tmux-missing"')) {
      stdout.write(carried);
      return 0;
    }
    const whole =
      carried === null
        ? await takeRoll(surroundings, servers, undefined, { isWithClosed })
        : rollIn(JSON.parse(carried.toString()) as RollDocument);
    const isBlind = tmuxMissing(whole) !== null;
    if (!flags.json) requireTmux(whole);
    const roll = isBlind ? whole : narrowed(whole, filter, (word) => commandMeant(word, commandNames));
    if (flags.json) {
      writeJson(stdout, toRollDocument(roll));
      return isBlind ? 1 : 0;
    }
    const { renderRoll } = await import('./render-roll.ts');
    const text = renderRoll(roll, {
      columns: stdout.columns,
      isColor: isColor(flags, surroundings),
      now: surroundings.now(),
      hidden: whole.sessions.length - roll.sessions.length,
    });
    stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    return 0;
  },
});

function isEverything({ lifecycles, activities, agents, servers, words }: Filter): boolean {
  return [lifecycles, activities, agents, servers, words].every((wanted) => wanted.length === 0);
}

function commandMeant(word: string, names: readonly string[]): string | undefined {
  const [command] = nearest(word, names);
  return command === undefined ? undefined : `did you mean the command rollcall ${command}?`;
}
