import type { Conversation } from './conversation.ts';
import type { Step } from './reply.ts';

/** One event of a stream of server-sent events. */
export interface StreamEvent {
  readonly name?: string;
  readonly data: unknown;
}

/** Puts the steps of an answer into events of one API. */
export interface Speaker {
  open(): readonly StreamEvent[];
  /** Pauses never get here. */
  take(step: Exclude<Step, { kind: 'pause' }>): readonly StreamEvent[];
  close(): readonly StreamEvent[];
}

/** One model API: how it asks, how it is answered. */
export interface Dialect {
  readonly name: string;
  /** Whether a request's path is one of this API's. */
  matches(path: string): boolean;
  read(body: Body, path: string): Conversation;
  speaker(body: Body, id: number): Speaker;
  /** The answer to a request that does not stream. */
  whole(body: Body, id: number, text: string): unknown;
  failure(status: number): { readonly status: number; readonly body: unknown };
  /** What follows the last event. */
  readonly ending?: string;
}

/** A request's parsed body; nothing is known of its shape. */
// biome-ignore lint/suspicious/noExplicitAny: four APIs with deep, loose shapes, read only to drive a test.
export type Body = any;
