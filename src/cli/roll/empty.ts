import type { Roll } from '../../core/sight/roll.ts';
import { counted } from '../../core/text/counted.ts';
import { type Line, line, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';

/** What an empty roll means and what to do next; silence would leave a newcomer guessing. */
export function emptyLines(roll: Roll, hidden: number, width: number | null): Line[] {
  const isFirstTime = hidden === 0 && roll.servers.length === 0 && roll.problems.length === 0;
  return [
    ...paragraph(sentence(roll, hidden), width),
    ...(isFirstTime ? [line(), ...suggestions(width)] : []),
  ];
}

function sentence(roll: Roll, hidden: number): string {
  if (hidden > 0) {
    return `No session matches the filter; ${counted(hidden, 'session is', 'sessions are')} on the roll without it.`;
  }
  if (roll.servers.length > 0) {
    return `No session: ${counted(roll.servers.length, 'tmux server runs', 'tmux servers run')}, but none has one.`;
  }
  if (roll.problems.length > 0) return 'No tmux server gave an answer, so nothing is on the roll.';
  return 'No tmux server is running for this user, so there is no session to show.';
}

function suggestions(width: number | null): Line[] {
  const commands = [
    ['rollcall demo', 'shows a full roll, with scripted sessions'],
    ['tmux new-session -s work', 'starts a session of your own'],
  ] as const;
  return commands.flatMap(([command, effect]) =>
    wrap([span(`  ${command.padEnd(24)}  `, 'heading')], line(effect), width),
  );
}
