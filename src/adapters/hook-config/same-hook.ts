import { existsSync } from 'node:fs';

/** The lines of the script and of the plugin that name a file of this machine: where Node.js is, and rollcall. */
const OWN_FILE = /^(?:const )?(?:node|program) ?= ?(['"])(.*)\1$/gm;

/**
 * Whether a hook does what the other would. One that was installed by another Node.js, or from another place, is as good
 * as long as both are there: people switch between versions of Node.js all day.
 */
export function isSameHook(text: string | null, wanted: string): boolean {
  if (text === null || text === wanted) return text !== null;
  const files = [...text.matchAll(OWN_FILE)].map(([, , file]) => file ?? '');
  return (
    text.replace(OWN_FILE, '') === wanted.replace(OWN_FILE, '') && files.every((file) => existsSync(file))
  );
}
