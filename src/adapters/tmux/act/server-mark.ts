import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tryOr } from '../../../core/try-or.ts';
import { linkAt } from '../../files/look.ts';
import { readOwnText } from '../../files/own-file.ts';
import type { RunTmux } from '../run-tmux.ts';
import type { EndPlace } from './end-hook.ts';
import { literal, shellWord } from './words.ts';

/**
 * Has the server's own shell write down when the server began (field 22 of its stat), and in which pid namespace it counts. The
 * client waits for that, and the server for its client: where the program ends at once, the server would be gone before anybody
 * else could look. It prints nothing and ends with 0, since tmux would show anything else in somebody's pane.
 */
export function markCommands({ folder, programPath }: EndPlace, run: string): string[][] {
  const script = `exec >/dev/null 2>&1
umask 077
PATH=/usr/bin:/bin:${shellWord(programPath)}
d=${shellWord(folder)}
f=$d/${fileOf(run)}
[ -d "$d" ] || mkdir "$d"
read -r stat </proc/#{pid}/stat && set -- ${literal(`\${stat##*) }`)} && printf %s "\${20} $(readlink /proc/self/ns/pid)" >"$f"
exit 0`;
  return [['run-shell', script]];
}

/** A start takes less, and a busy machine is not made busier. */
const FIRST_NUDGE_MS = 300;
const LONGEST_NUDGE_MS = 2000;

/**
 * Waits for a start with such a shell. tmux up to 3.5 may miss that the shell has ended until another program of the server
 * ends, and its client would wait for ever: so the server is given such programs until there is an answer.
 */
export async function nudgedStart<T>(run: RunTmux, socketPath: string, starting: Promise<T>): Promise<T> {
  const over = new AbortController();
  const nudging = nudge(run, socketPath, over.signal);
  try {
    return await starting;
  } finally {
    over.abort();
    await nudging;
  }
}

async function nudge(run: RunTmux, socketPath: string, signal: AbortSignal): Promise<void> {
  for (let waitMs = FIRST_NUDGE_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_NUDGE_MS)) {
    await pause(waitMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await run(socketPath, ['run-shell', '-b', 'true'], { maxBytes: 1024, signal });
  }
}

const MAX_BYTES = 200;

/** When the server began, in ticks; null where it was not written down, or counts in another pid namespace. */
export function takeMark({ folder }: EndPlace, run: string): number | null {
  const path = join(folder, fileOf(run));
  const text = tryOr(null, () => readOwnText(path, MAX_BYTES));
  // The session runs already: whatever keeps this file must not make a failure of that.
  tryOr(undefined, () => rmSync(path, { force: true }));
  const [ticks = '', namespace] = text?.split(' ') ?? [];
  return /^\d{1,15}$/.test(ticks) && namespace === linkAt('/proc/self/ns/pid') ? Number(ticks) : null;
}

/** With a dot: it is no record of an end. */
function fileOf(run: string): string {
  return `${run}.server`;
}
