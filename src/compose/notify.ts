import { hostname } from 'node:os';
import { createSend } from '../adapters/notify/create-send.ts';
import { createEndStarted } from '../adapters/proc/end-started.ts';
import type { StateFolder } from '../adapters/state/state-folder.ts';
import { matchesGlob } from '../config/glob.ts';
import type { Settings } from '../config/settings.ts';
import { isNotifyMemory } from '../core/notify/memory.ts';
import { createNotifier, type Notifier } from '../engine/notify/create-notifier.ts';
import { createNotifyTest, type NotifyTest } from '../engine/notify/notify-test.ts';
import type { NotifyStore } from '../ports/notify.ts';
import { ownStateFolder } from './system/own-user.ts';
import { storeIn } from './system/store-of.ts';

/** Thousands of sessions that were told of, and room to spare. */
const MEMORY_BYTES = 2 * 1024 * 1024;

/** Everything that tells people what the daemon sees. */
export function composeNotifier(
  env: NodeJS.ProcessEnv,
  settings: Settings,
  log: (text: string) => void,
): Notifier {
  return createNotifier({
    policy: settings.notify,
    send: createSend({ env, endStarted: createEndStarted() }),
    store: notified(ownStateFolder(env)),
    matches: matchesGlob,
    log,
  });
}

/** Tries rules out. */
export function composeNotifyTest(env: NodeJS.ProcessEnv): NotifyTest {
  return createNotifyTest(createSend({ env, endStarted: createEndStarted() }), hostname(), Date.now);
}

function notified(folder: StateFolder): NotifyStore {
  const file = { name: 'notified.json', maxBytes: MEMORY_BYTES, isValid: isNotifyMemory };
  const problem = folder.state === 'refused' ? `${folder.text} (${folder.hint})` : '';
  return storeIn(folder, file) ?? { load: () => ({ value: null, problem }), save: () => problem };
}
