import { existsSync, readlinkSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { StandInAnswer } from '../../client/ask-stand-in.ts';
import { HOMES } from '../../core/agent/homes.ts';
import { ownStateFolder, ownUid } from '../system/own-user.ts';

/** What a look depends on beside the settings: where tmux servers and agents keep their files. */
const VARIABLES = [...HOMES, 'TMPDIR', 'TMUX_TMPDIR', 'ROLLCALL_SOCKETS_WITHIN', 'ROLLCALL_SCRIPTED_AGENT'];

/** Who looks. */
interface Viewer {
  readonly env: NodeJS.ProcessEnv;
  /** What the config files say, letter by letter: comparing it is quicker than reading it. */
  readonly written: string | null | undefined;
  readonly version: string;
  /** Only these sockets; every server of the user otherwise. */
  readonly sockets?: readonly string[];
}

/**
 * Stands for everything that a look depends on. Two processes with the same view see the same: one may look for the other.
 * The version comes first, so that whoever compares can say what differs.
 */
export function viewOf({ env, written, version, sockets = [] }: Viewer): string {
  const seen = {
    written,
    sockets,
    uid: ownUid(),
    namespaces: ['pid', 'mnt'].map(namespaceOf),
    variables: VARIABLES.map((name) => placeIn(env[name])),
    git: Object.entries(env)
      .filter(([name]) => name.startsWith('GIT_'))
      .sort(),
  };
  return `${version}/${printOf(JSON.stringify(seen))}`;
}

// Nobody gains by two views with the same print, and Node's own hashes take long to load.
function printOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x85ebca6b) ^ (other >>> 13);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

// A folder that is named from where this process is means another one elsewhere: nobody looks for it.
function placeIn(value: string | undefined): string | null {
  if (value === undefined || value === '' || isAbsolute(value)) return value ?? null;
  return `${process.pid}:${value}`;
}

// Elsewhere than on Linux nobody has one of their own.
function namespaceOf(kind: string): string | null {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return null;
  }
}

/** The daemon of this user, which may look in the place of this process; null where none listens. */
export async function composeStandIn(
  env: NodeJS.ProcessEnv,
  written: string,
  version: string,
): Promise<((path: string) => Promise<StandInAnswer>) | null> {
  const socketPath = join(ownStateFolder(env).path, 'rollcall.sock');
  if (!existsSync(socketPath)) return null;
  const { askStandIn } = await import('../../client/ask-stand-in.ts');
  const { TMUX, TMUX_PANE } = env;
  const asker = encodeURIComponent(JSON.stringify({ pid: process.pid, TMUX, TMUX_PANE }));
  const headers = { 'Rollcall-View': viewOf({ env, written, version }), 'Rollcall-Asker': asker };
  return (path) => askStandIn(socketPath, path, headers);
}
