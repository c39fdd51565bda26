import { dirname } from 'node:path';
import type { VersionRange } from '../../../core/agent/version.ts';
import type { AgentProcess } from '../../../ports/agent.ts';
import { linkAt } from '../../files/look.ts';
import { packageIn } from '../common/installed.ts';

/** The versions that were really run and looked at. */
export const VERIFIED: VersionRange = { from: '1.18.33', to: '1.18.33' };

/** The version of a running opencode, from its installed package; unknown if that was replaced since the process began. */
export function versionOf({ pid, argv, startedAt }: AgentProcess): string | undefined {
  const program = linkAt(`/proc/${pid}/exe`) ?? argv[0];
  if (!program?.startsWith('/') || program.endsWith(' (deleted)')) return undefined;
  const found = packageIn(dirname(dirname(program)));
  if (!found?.name.startsWith('opencode-') || found.modifiedAt > startedAt) return undefined;
  return found.version.length < 40 ? found.version : undefined;
}
