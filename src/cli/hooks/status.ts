import { toDocument } from '../../contract/document.ts';
import type { HooksStatusDocument } from '../../contract/document-schemas.ts';
import { Failure } from '../../operations/failure.ts';
import { defineCommand } from '../frame/command.ts';
import { show } from '../render/show.ts';
import { agentsNamed, agentWords, HOOK_AGENTS } from './agents.ts';
import { statusLines } from './render-status.ts';

export const hooksStatusCommand = defineCommand({
  name: 'hooks status',
  summary: 'Show which agents tell rollcall what they do.',
  usage: ['rollcall hooks status [AGENT…] [flags]'],
  description: [
    'Shows for each agent whether rollcall’s hooks are in your own settings and in those of the current repository: installed, partly, outdated, or calling a script that is missing; which events are told; whether the agent’s own settings switch hooks off; and when something was last heard.',
    'For Codex it also shows whether the hooks are on record as reviewed, in the form in which they stand there now.',
    'Backups of each settings file are listed with the command that puts the last one back. Backups that an earlier version left beside the file are named too: they are yours to remove.',
  ],
  flags: { project: { kind: 'switch', help: 'Only the repository that the current folder is in.' } },
  positional: agentWords('all of them'),
  examples: {
    'rollcall hooks status': 'every agent',
    'rollcall hooks status codex': 'only one',
    "rollcall hooks status --json | jq '.hooks[] | {agent, scope, state}'": 'for programs',
  },
  exits: {
    done: 'the state was printed, whatever it is',
    usage: 'an unknown agent or flag',
    'not-found': '--project outside of a repository',
  },
  run: async ({ flags, words, surroundings }) => {
    const { cwd, now } = surroundings;
    const named = agentsNamed(words);
    const config = await surroundings.hookConfig(cwd);
    const found = config.status(named.length === 0 ? HOOK_AGENTS : named);
    const statuses = flags.project ? found.filter(({ scope }) => scope === 'project') : found;
    if (flags.project && statuses.length === 0) {
      throw new Failure('not-found', `${cwd} is in no repository of its own`);
    }
    const document: HooksStatusDocument = toDocument({ hooks: statuses });
    return show({ flags, surroundings }, document, (width) => statusLines(statuses, now(), width));
  },
});
