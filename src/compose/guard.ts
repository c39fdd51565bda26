import type { GuardProbes } from '../ports/guard.ts';
import { ownUid } from './system/own-user.ts';

/** What a guard looks through: the kernel's word on processes, one tmux server, and the sentinel's file. */
export async function composeGuardProbes(env: NodeJS.ProcessEnv, timeoutMs: number): Promise<GuardProbes> {
  const { createGuardListing } = await import('../adapters/tmux/guard-listing.ts');
  const { openPulse } = await import('../adapters/guard/process-pulse.ts');
  const sentinel = await import('../adapters/guard/sentinel-file.ts');
  const listing = createGuardListing({ env, uid: ownUid(), now: Date.now, timeoutMs });
  const { sentinelProblem, sentinelObstacle, writeSentinel } = sentinel;
  return {
    ...listing,
    openPulse: (one) => openPulse(one),
    ...{ sentinelProblem, sentinelObstacle, writeSentinel },
  };
}
