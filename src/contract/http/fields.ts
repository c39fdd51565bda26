/** What a field of a request body may hold. */
export type Field =
  | { readonly kind: 'text'; readonly max: number; readonly means: string }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly means: string }
  | { readonly kind: 'switch'; readonly means: string }
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly means: string }
  | { readonly kind: 'texts'; readonly max: number; readonly most: number; readonly means: string }
  | { readonly kind: 'choices'; readonly values: readonly string[]; readonly means: string };

/** The fields of one body; all of them may be left out. */
export type Fields = Readonly<Record<string, Field>>;

type Value<F extends Field> = F extends { kind: 'text' }
  ? string
  : F extends { kind: 'number' }
    ? number
    : F extends { kind: 'switch' }
      ? boolean
      : F extends { kind: 'choice'; values: readonly (infer V)[] }
        ? V
        : F extends { kind: 'texts' }
          ? readonly string[]
          : F extends { kind: 'choices'; values: readonly (infer V)[] }
            ? readonly V[]
            : never;

/** A body that was read. */
export type Body<F extends Fields> = { readonly [K in keyof F]?: Value<F[K]> };

const TEN_YEARS_MS = 3650 * 86_400_000;
/** The latest time that a date can name. */
const LATEST = 8_640_000_000_000_000;

const reason = { kind: 'text', max: 1000, means: 'why, for others to read' } as const;

const despite = {
  kind: 'choices',
  values: ['attached', 'recent-input', 'human-managed', 'project-config-broken', 'held', 'retained'],
  means: 'protections that are set aside',
} as const;

const timeoutMs = {
  kind: 'number',
  min: 1000,
  max: 3_600_000,
  means: 'how long all of it may take; then it gives up. A minute where left out',
} as const;

/**
 * What each action takes: the same as the flags of its command. One table, from which the server reads bodies without a
 * schema library, and from which their schemas are made.
 */
export const BODIES = {
  hold: { reason },
  unhold: {},
  retain: {
    forMs: { kind: 'number', min: 1, max: TEN_YEARS_MS, means: 'from now on for so long' },
    until: { kind: 'number', min: 1, max: LATEST, means: 'until then, epoch milliseconds' },
    release: { kind: 'switch', means: 'keep it no longer' },
    reason,
  },
  complete: {
    outcome: { kind: 'choice', values: ['done', 'failed'], means: 'how it ended; `done` where left out' },
    task: { kind: 'text', max: 200, means: 'the task that is over; it has to be the session’s' },
    evidence: { kind: 'texts', max: 1000, most: 20, means: 'what shows that it is done' },
    cancel: { kind: 'switch', means: 'take the completion back' },
  },
  close: {
    dryRun: { kind: 'switch', means: 'say what would be done, and do nothing' },
    force: { kind: 'switch', means: 'close it although something would be lost; SIGKILL what does not end' },
    automatic: {
      kind: 'switch',
      means:
        'no person asked for it, as with --due: only what is safe to close, under care and unprotected; not with `force` or `despite`',
    },
    despite,
    timeoutMs,
    reason,
  },
  hibernate: {
    dryRun: { kind: 'switch', means: 'say what would be done, and do nothing' },
    automatic: {
      kind: 'switch',
      means:
        'no person asked for it: only what is safe to close, under care and unprotected; not with `despite`',
    },
    despite,
    timeoutMs,
    reason,
  },
  wake: {},
  reopen: {
    unsealed: {
      kind: 'switch',
      means: 'also from the archive of an earlier version, whose receipt has no digest to compare it with',
    },
    name: { kind: 'text', max: 200, means: 'another name than it had' },
    onCollision: {
      kind: 'choice',
      values: ['fail', 'suffix'],
      means: 'where the name is taken: fail, or add a number to it',
    },
    server: {
      kind: 'text',
      max: 200,
      means: 'label or socket path of a tmux server; the default one otherwise',
    },
  },
} as const satisfies Record<string, Fields>;

export type ActionName = keyof typeof BODIES;
export type ActionBody<A extends ActionName> = Body<(typeof BODIES)[A]>;
