/** How much a token bucket lets through. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Everything that is bounded, in one table; tests make some of it smaller. */
export const LIMITS = {
  /** For all headers to arrive. A browser needs milliseconds; who needs longer holds a place on purpose. */
  headersMs: 10_000,
  /** For a whole request, its body with it. */
  requestMs: 20_000,
  /** A connection without a request. */
  keepAliveMs: 5000,
  /** How often the two above are looked at. */
  checkEveryMs: 1000,
  /** All of them together; so their number is bounded too, and none is left out silently. */
  headerBytes: 16 * 1024,
  urlLength: 2048,
  bodyBytes: 64 * 1024,
  /** Each listener has its own, so that whoever fills the port does not keep the command from the socket. */
  connections: 256,
  requestsPerConnection: 1000,
  /** Whoever has the token, or the socket: generous, against a loop gone wild. */
  port: { perSecond: 50, burst: 200 },
  socket: { perSecond: 500, burst: 2000 },
  /** Whoever has not: kept apart, so that a stranger uses up nothing of the owner's. */
  strangers: { perSecond: 20, burst: 100 },
  /** Clients of /v1/events. */
  streams: 64,
  /** Who listens notices within a second of it that nothing comes any more. */
  heartbeatMs: 2000,
  /** What a client may have missed and still resume. */
  keptEvents: 4096,
  keptEventBytes: 4 * 1024 * 1024,
  /** Actions and thorough looks at once; each has a look of its own. */
  actions: 8,
  looks: 4,
  /** Who waits for sessions; they all share one look at a time. */
  waits: 64,
  idempotencyKeys: 1000,
  idempotencyBytes: 8 * 1024 * 1024,
  idempotencyMs: 24 * 3_600_000,
  /** For answers under way when the server closes. */
  farewellMs: 2000,
} as const;

export type Limits = {
  readonly [K in keyof typeof LIMITS]: (typeof LIMITS)[K] extends number ? number : Rate;
};
