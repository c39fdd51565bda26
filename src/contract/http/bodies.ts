import * as v from 'valibot';
import { described } from '../../schema/described.ts';
import { flag, oneOf, someOf, text, texts, whole } from '../../schema/fields.ts';

const TEN_YEARS_MS = 3650 * 86_400_000;
/** The latest time that a date can name. */
const LATEST = 8_640_000_000_000_000;

function may<const S extends v.GenericSchema>(schema: S, means: string) {
  return v.optional(described(schema, means));
}

const reason = may(text(1000), 'why, for others to read');
const dryRun = may(flag(), 'say what would be done, and do nothing');

const despite = may(
  someOf(['attached', 'recent-input', 'human-managed', 'project-config-broken', 'held', 'retained']),
  'protections that are set aside',
);

const timeoutMs = may(
  whole(1000, 3_600_000),
  'how long all of it may take; then it gives up. A minute where left out',
);

/**
 * What each action takes: the same as the flags of its command. A field that is not known is a mistake, and not a later
 * version's.
 */
export const requestSchemas = {
  hold: v.strictObject({ reason }),
  unhold: v.strictObject({}),
  retain: v.strictObject({
    forMs: may(whole(1, TEN_YEARS_MS), 'from now on for so long'),
    until: may(whole(1, LATEST), 'until then, epoch milliseconds'),
    release: may(flag(), 'keep it no longer'),
    reason,
  }),
  complete: v.strictObject({
    outcome: may(oneOf(['done', 'failed']), 'how it ended; `done` where left out'),
    task: may(text(200), 'the task that is over; it has to be the session’s'),
    evidence: may(texts(20, 1000), 'what shows that it is done'),
    cancel: may(flag(), 'take the completion back'),
  }),
  close: v.strictObject({
    dryRun,
    force: may(flag(), 'close it although something would be lost; SIGKILL what does not end'),
    automatic: may(
      flag(),
      'no person asked for it, as with --due: only what is safe to close, under care and unprotected; not with `force` or `despite`',
    ),
    despite,
    timeoutMs,
    reason,
  }),
  hibernate: v.strictObject({
    dryRun,
    automatic: may(
      flag(),
      'no person asked for it: only what is safe to close, under care and unprotected; not with `despite`',
    ),
    despite,
    timeoutMs,
    reason,
  }),
  wake: v.strictObject({}),
  reopen: v.strictObject({
    unsealed: may(
      flag(),
      'also from the archive of an earlier version, whose receipt has no digest to compare it with',
    ),
    name: may(text(200), 'another name than it had'),
    onCollision: may(oneOf(['fail', 'suffix']), 'where the name is taken: fail, or add a number to it'),
    server: may(text(200), 'label or socket path of a tmux server; the default one otherwise'),
  }),
};

export type ActionName = keyof typeof requestSchemas;
export type ActionBody<A extends ActionName> = v.InferOutput<(typeof requestSchemas)[A]>;
