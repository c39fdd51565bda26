import type { Roll } from '../../core/sight/roll.ts';
import type { RolePolicies } from '../../core/verdict/policy.ts';
import type { Desk } from '../../engine/daemon/desk.ts';
import type { Instruments } from '../../operations/at.ts';
import type { Hub } from '../events/hub.ts';
import type { turnstile } from '../http/rate.ts';
import type { Idempotency } from '../idempotency.ts';
import type { LedgerTail } from '../ledger-tail.ts';
import type { Family } from '../metrics/registry.ts';

/** What answers are made from. */
export interface Context {
  readonly desk: Desk;
  /** Wall clock, epoch ms. */
  readonly now: () => number;
  /** What completions have to show. */
  readonly policies: RolePolicies;
  /** What is started in a pane without an agent. */
  readonly shell: string;
  /** What looks of this daemon depend on. */
  readonly view: string;
  readonly instruments: Instruments;
  /** The socket of a server that is named by its label, or by the path of its socket. */
  readonly socketOf: (word: string) => string;
  readonly hub: Hub;
  readonly tail: LedgerTail;
  readonly idempotency: Idempotency;
  readonly maxStreams: number;
  readonly atLook: ReturnType<typeof turnstile>;
  readonly atWait: ReturnType<typeof turnstile>;
  /** A look, closed sessions too, for everybody who waits: one at a time, and each begins after it was asked for. */
  readonly lookShared: () => Promise<Roll>;
  readonly atWork: ReturnType<typeof turnstile>;
  readonly metrics: readonly Family[];
  /** Over all rounds. */
  missedHints(): number;
  readonly place: ServerPlace;
}

/** Where this server is reached. */
export interface ServerPlace {
  readonly url: string | null;
  readonly socketPath: string;
  readonly tokenFile: string;
}
