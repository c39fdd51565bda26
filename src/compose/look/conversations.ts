import { join } from 'node:path';
import { createArchive } from '../../adapters/archive/archive.ts';
import { createConversations } from '../../adapters/archive/conversations/conversations-folder.ts';
import type { StateFolder } from '../../adapters/state/state-folder.ts';
import type { Settings } from '../../config/settings.ts';
import type { Archive } from '../../ports/archive.ts';
import type { Conversations } from '../../ports/conversations.ts';
import { ownStateFolder } from '../system/own-user.ts';

/** What was kept of this user's closed sessions. */
export function openArchive(env: NodeJS.ProcessEnv): Archive {
  return createArchive({ folder: ownStateFolder(env).path });
}

/** Copies of conversations below the state folder; where that is refused, nothing can be kept. */
export function conversationsIn(
  folder: StateFolder,
  { archive }: Pick<Settings, 'archive'>,
  isFolder: (path: string) => boolean | Promise<boolean>,
): Conversations {
  if (folder.state === 'ready') {
    return createConversations({
      folder: join(folder.path, 'conversations'),
      maxBytes: archive.keepConversationsBytes,
      now: Date.now,
      isFolder,
    });
  }
  const text = `${folder.text}; ${folder.hint}`;
  return {
    keep: async () => ({ state: 'not-kept', text }),
    putBack: async () => ({ state: 'failed', text }),
    cluesOf: () => null,
    list: () => ({ bytes: 0, count: 0, removed: [] }),
  };
}
