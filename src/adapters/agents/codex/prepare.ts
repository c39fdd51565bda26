import type { PreparedStart } from '../../../ports/agent.ts';
import { codexCommand, wordsOfCodex } from './command-line.ts';

/**
 * Lets a new Codex run its conversations itself. In the daemon that all of a user's share, its tools and hooks bear the
 * pane of whoever came first, and its turn goes on when its pane is gone.
 */
export function prepare(argv: readonly string[]): PreparedStart {
  const words = wordsOfCodex(argv);
  const command = codexCommand(argv);
  if (words === null || command === null) return { argv };
  // `agents` is a window on the daemon, and a remote one is elsewhere.
  if (command.isWithoutDaemon || command.isRemote || command.first === 'agents') return { argv };
  return { argv: [...argv.slice(0, argv.length - words.length), '--no-daemon', ...words] };
}
