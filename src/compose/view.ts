import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { HOMES } from '../core/agent/homes.ts';
import { ownUid } from './own-user.ts';
import type { Scope } from './scope.ts';

/** What a look depends on beside the settings: where tmux servers and agents keep their files. */
const VARIABLES = [...HOMES, 'TMPDIR', 'TMUX_TMPDIR', 'ROLLCALL_SOCKETS_WITHIN', 'ROLLCALL_SCRIPTED_AGENT'];

/**
 * Stands for everything that a look depends on. Two processes with the same view see the same: one may look for the other.
 * The version comes first, so that whoever compares can say what differs.
 */
export function viewOf({ env, settings, sockets = [] }: Scope, version: string): string {
  const { policy, protect, tmux, git, roles, brokenProject } = settings;
  const seen = {
    ...{ policy, protect, tmux, git, roles, brokenProject, sockets, uid: ownUid() },
    namespaces: ['pid', 'mnt'].map(namespaceOf),
    variables: VARIABLES.map((name) => env[name] ?? null),
  };
  const text = JSON.stringify(seen, (_, value) => (value instanceof Map ? [...value] : value));
  return `${version}/${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}

// Elsewhere than on Linux nobody has one of their own.
function namespaceOf(kind: string): string | null {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return null;
  }
}
