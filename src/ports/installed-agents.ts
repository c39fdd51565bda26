import type { VersionRange } from '../core/agent/version.ts';

/** An agent program on this machine, whether or not it runs. */
export interface InstalledAgent {
  readonly kind: string;
  readonly path: string;
  /** Null when it did not tell in time. */
  readonly version: string | null;
  /** The versions on which everything rollcall knows of it was verified; null where only its process is known. */
  readonly verified: VersionRange | null;
  readonly isVerified: boolean;
}

/** Finds agents on the search path and asks each for its version. */
export type FindInstalled = () => Promise<readonly InstalledAgent[]>;
