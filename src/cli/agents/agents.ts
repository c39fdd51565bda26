import { toAgentsDocument } from '../../contract/roll-document.ts';
import { defineCommand } from '../frame/command.ts';
import { isColor } from '../frame/is-color.ts';
import { writeJson } from '../frame/write-json.ts';
import { printLines } from '../render/line.ts';
import { serverWords, takeRoll } from '../roll/take-roll.ts';
import { agentsLines } from './render-agents.ts';
import { runningAgents } from './running-agents.ts';

export const agentsCommand = defineCommand({
  name: 'agents',
  summary: 'Show installed and running agents, and what rollcall can hear of each.',
  usage: ['rollcall agents [flags]'],
  description: [
    'Lists the agents on PATH with their versions, and whether rollcall was verified on that version. Then every agent that runs in tmux, which of its sources are heard (its own status, its hooks, its transcript, its title, its screen), and what is missing for a surer answer.',
    'A version that was not verified still works: what it says of itself is believed, but its screen alone never makes a session closable.',
  ],
  flags: {},
  positional: null,
  examples: [
    { command: 'rollcall agents', what: 'what is installed, what runs, what is missing' },
    { command: "rollcall agents --json | jq '.running[] | select(.gaps != [])'", what: 'for programs' },
  ],
  exits: [
    { name: 'done', when: 'the agents were printed, also when there are none' },
    { name: 'usage', when: 'an unknown flag, or a broken config file' },
    { name: 'not-found', when: 'no server has the name that --server gives' },
  ],
  run: async ({ flags, surroundings }) => {
    const { stdout } = surroundings;
    const [installed, roll] = await Promise.all([
      surroundings.installedAgents(),
      takeRoll(surroundings, serverWords(flags.server, surroundings)),
    ]);
    const running = runningAgents(roll);
    if (flags.json) {
      writeJson(stdout, toAgentsDocument({ installed, running, problems: roll.problems }));
      return 0;
    }
    const lines = agentsLines({ installed, running, problems: roll.problems }, stdout.columns);
    stdout.write(printLines(lines, isColor(flags, surroundings)));
    return 0;
  },
});
