import type { VersionRange } from '../../../core/agent/version.ts';

/** The versions of Claude Code that all of this was tried on. */
export const VERIFIED: VersionRange = { from: '2.1.325', to: '2.1.325' };
