/** What a person did, and what must not be touched from then on. */
export interface Claim {
  /** Nothing may be typed into the session, none of its processes be signalled, and it is not removed. */
  readonly isUntouchable: boolean;
  /** Its windows are another session's too: removing it takes nothing away. */
  readonly mayBeRemoved?: boolean;
  /** On the monotonic clock, where it counts from an earlier moment than the end of what was done. */
  readonly since?: number;
  /** What has to live in the end, by what it is called. */
  readonly lives: ReadonlyMap<string, number>;
  /** Ids of sessions that have to stand in the end. */
  readonly stands: readonly string[];
  /** Text that stands in an input, and neither goes nor is sent. */
  readonly draft?: string;
  /** The command that asked to keep it said yes. */
  readonly isPromised?: boolean;
  /** The person ended the session, or took it apart. */
  readonly isEndedByPerson?: boolean;
  /** The person ended its program. */
  readonly isReplaced?: boolean;
  /** The program was killed, and another run of it completed its record; the log of that one. */
  readonly recoveryLog?: string;
  /** What was done, where it was not what its name says. */
  readonly note?: string | undefined;
}

export const NOTHING: Claim = { isUntouchable: false, lives: new Map(), stands: [] };
