import { ownerOf } from './order.ts';

/** What became of one request. */
export interface RequestRecord {
  readonly id: number;
  readonly tag: string | null;
  readonly role: 'turn' | 'side' | 'fail';
  readonly receivedAt: number;
  /** When the last byte was given out or the agent hung up; null while it goes on. */
  endedAt: number | null;
  isAborted: boolean;
  /** The tool that the answer called. */
  called: string | null;
  /** How often a stop gate had kept the agent going before it, since the order. */
  readonly nudges: number;
  /** The tags of every order that the request carried, oldest first. */
  readonly remembered: readonly string[];
  readonly model: string;
}

/** The requests of all agents: what the driver knows the truth from. */
export interface RequestLog {
  add(record: RequestRecord): void;
  /** The requests that belong to an order, its subagents' too, oldest first. */
  of(tag: string): readonly RequestRecord[];
}

export function createRequestLog(): RequestLog {
  const records: RequestRecord[] = [];
  return {
    add(record) {
      records.push(record);
    },
    of: (tag) => records.filter((record) => record.tag !== null && ownerOf(record.tag) === tag),
  };
}
