import type { ConversationChoice } from '../../../core/agent/choice.ts';
import { codexCommand, folderOf } from './command-line.ts';
import { isCodex } from './recognise.ts';

/** How a command line comes to its conversation. */
export function choice(argv: readonly string[], cwd: string | undefined): ConversationChoice | null {
  const command = codexCommand(argv);
  if (command === null) return null;
  if (command.chooses === 'all') return { how: 'open', folder: null };
  const folder = folderOf(command, cwd);
  const place = folder === undefined ? {} : { folder };
  if (command.chooses === 'folder') return { how: 'open', ...place };
  // `agents` is a window on what the daemon runs.
  if (!isCodex(argv) || command.first === 'agents') return null;
  const isOwn = command.resumes !== undefined || command.first === 'fork';
  return { how: isOwn ? 'own' : 'new', ...place };
}
