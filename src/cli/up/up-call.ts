import { resolve } from 'node:path';
import { daemonObject, toUpDocument } from '../../contract/daemon-documents.ts';
import type { Failure } from '../../operations/failure.ts';
import type { DaemonControl, DaemonNote, DaemonSighting } from '../../ports/daemon.ts';
import type { Invocation } from '../frame/command.ts';
import { writeJson } from '../frame/write-json.ts';
import { age } from '../render/amounts.ts';
import { printLines } from '../render/line.ts';
import { labelled } from '../render/page.ts';
import { serverWords } from '../roll/take-roll.ts';

/** A call of `rollcall up` in any of its forms. */
export type UpCall = Pick<
  Invocation<{ readonly yes: { readonly kind: 'switch'; readonly help: string } }>,
  'flags' | 'surroundings'
>;

/**
 * Node keeps room for twice this for what is young: 32 MiB unless told, 128 on Node 24, which is more than all else that the
 * daemon keeps.
 */
export const NODE_FLAGS = ['--max-semi-space-size=4'];

/** The words that start the daemon in the foreground, from whatever folder. */
export function foregroundWords({ flags, surroundings }: UpCall): string[] {
  const { self, cwd } = surroundings;
  const config = flags.config === undefined ? [] : ['--config', resolve(cwd, flags.config)];
  const servers = serverWords(flags.server, surroundings).flatMap((word) => ['--server', word]);
  const [node = '', ...program] = self;
  return [node, ...NODE_FLAGS, ...program, 'up', '--foreground', ...config, ...servers];
}

/** Says that one runs already, since when, and how to reach it. */
export function tellRunning({ flags, surroundings: { stdout, now } }: UpCall, seen: DaemonSighting): void {
  if (flags.json) writeJson(stdout, toUpDocument('already-running', daemonObject(seen)));
  else if (seen.state !== 'running') stdout.write('a daemon runs already\n');
  else {
    const { pid, since, note } = seen;
    const how = note === null ? '' : addressLines(note);
    stdout.write(`a daemon runs already (pid ${pid}, started ${age(since, now())})\n${how}`);
  }
}

/** How to reach it, a line each. */
export function addressLines({ url, socket, tokenFile }: DaemonNote): string {
  const rows = Object.entries({ url, token: tokenFile, socket });
  const lines = rows.flatMap(([name, value]) =>
    value === null ? [] : labelled(name, value, null, { indent: 2, room: 7 }),
  );
  return printLines(lines, false);
}

const ASK_EVERY_MS = 50;
/** A loaded machine takes its time between two steps of a process. */
const PASSES_MS = 5_000;

/** Sees whether a daemon runs, once whoever has just taken its lock has said who it is. */
export async function seeSurely({ see }: Pick<DaemonControl, 'see'>): Promise<DaemonSighting> {
  const deadline = performance.now() + PASSES_MS;
  for (;;) {
    const seen = see();
    if (seen.state !== 'unknown' || !seen.mayPass || performance.now() > deadline) return seen;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}

/** Asks again and again until there is an answer; fails where there is none in time. */
export async function waitFor<T>(ask: () => T | null, withinMs: number, late: () => Failure): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = ask();
    if (answer !== null) return answer;
    if (performance.now() > deadline) throw late();
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
