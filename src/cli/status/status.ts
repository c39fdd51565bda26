import { toStatusDocument } from '../../contract/status-document.ts';
import { EXIT_CODES } from '../../core/exit-codes.ts';
import { seeMachine } from '../../operations/status.ts';
import { defineCommand } from '../frame/command.ts';
import { show } from '../render/show.ts';
import { serverWords } from '../roll/take-roll.ts';
import { statusLines } from './render-status.ts';

export const statusCommand = defineCommand({
  name: 'status',
  summary: 'Show the daemon, memory pressure, the largest sessions and what is due.',
  usage: ['rollcall status [flags]'],
  description: [
    'Says whether a daemon runs and how it does, how short of memory the machine is and why, every signal with its value and its source, the five sessions that take most memory, which completed sessions are to be closed and when, and what the ledger holds.',
    'A daemon whose process is stopped, that gives no answer within 0.7 s (4 s while it computes), or that has made no round for far too long is not answering: status says since when and what to do. That it is dead is never said: its process is there.',
    'Sessions whose work was declared complete (rollcall complete) are listed with the time at which they are to be closed, by their role, or with what is missing. A daemon closes them by itself, unless daemon.settle says otherwise; without one, rollcall close --due does.',
    'Pressure is normal, moderate or critical. A value must hold for a while before the tier rises, and be gone for longer before it falls; rollcall config explain shows the pressure settings. Stalls that the kernel records carry their own duration, so even a first look can tell; for the other signals each look builds on the one before it.',
    'Available memory counts, not free memory, and of every cgroup around rollcall and the tmux servers the one that is worst off. Load says nothing about memory and is not asked. A signal that cannot be read raises nothing.',
  ],
  examples: {
    'rollcall status': 'how the machine does',
    "rollcall status --json | jq -r '.pressure | .tier, .reason.text'": 'for programs',
    "rollcall status --json | jq '.sessions.largest'": 'who takes most memory',
    "rollcall status --json | jq '.due[] | {name, state, why}'": 'what is due',
  },
  exits: {
    done: 'the status was printed, whatever the pressure is',
    'daemon-needed': 'the status was printed, and the daemon that runs is not answering',
    usage: 'an unknown flag, or a broken config file',
    'not-found': 'no such tmux server',
  },
  run: async ({ flags, surroundings }) => {
    const servers = serverWords(flags.server, surroundings);
    const status = await seeMachine(surroundings, servers, surroundings.config.notices);
    show({ flags, surroundings }, toStatusDocument(status), (width) => statusLines(status, width));
    const isAway = status.answer != null && status.answer.state !== 'answers';
    return isAway ? EXIT_CODES['daemon-needed'].code : 0;
  },
});
