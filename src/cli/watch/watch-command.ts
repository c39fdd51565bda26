import { parseValue } from '../../config/setting.ts';
import { SETTINGS } from '../../config/settings-table.ts';
import { Failure } from '../../operations/failure.ts';
import { defineCommand } from '../frame/command.ts';
import { word } from '../frame/flags.ts';
import { isColor } from '../frame/is-color.ts';
import { FILTER_FLAGS, PATTERNS, toFilter } from '../roll/filter-flags.ts';
import { looker, serverWords } from '../roll/take-roll.ts';

const EVERY = SETTINGS['watch.every'].about;

export const watchCommand = defineCommand({
  name: 'watch',
  summary: 'Show the roll live, full screen.',
  usage: ['rollcall watch [PATTERN…] [flags]'],
  description: [
    'Looks again and again and shows the roll until q is pressed. The arrow keys select a session, Enter explains it, / filters, ? shows all keys.',
    'Into a pipe it prints the roll each time that something changed; with --json one document per line.',
  ],
  flags: {
    ...FILTER_FLAGS,
    every: word('TIME', 'Time between two looks, such as 2s or 1m.', {
      default: `the setting watch.every (${EVERY.default})`,
    }),
  },
  positional: PATTERNS,
  examples: {
    'rollcall watch': 'everything, live',
    'rollcall watch --activity=waiting --every=5s': 'who waits for me, every five seconds',
    "rollcall watch --json | jq -c '.sessions | length'": 'a line for each change',
  },
  exits: {
    done: 'it was ended by q, Ctrl-C or a signal',
    failed: 'the roll could not be taken',
    usage: 'an unknown flag or value, or a broken config file',
  },
  run: async ({ flags, words, surroundings }) => {
    const everyMs = flags.every === undefined ? surroundings.settings.watch.everyMs : readEvery(flags.every);
    const { watch } = await import('./watch.ts');
    return watch(surroundings, {
      everyMs,
      isJson: flags.json,
      isColor: isColor(flags, surroundings),
      look: looker(surroundings, flags),
      filter: toFilter(flags, words, serverWords(flags.server, surroundings)),
    });
  },
});

function readEvery(written: string): number {
  const parsed = parseValue(EVERY, written);
  if (parsed.isValid) return Number(parsed.value);
  throw new Failure('usage', `--every=${written} ${parsed.text}`, { hint: parsed.hint });
}
