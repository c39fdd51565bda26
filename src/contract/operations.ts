import * as v from 'valibot';
import type { ExitName } from '../core/exit-codes.ts';
import { CLAIMS } from '../core/ledger/current-facts.ts';
import { described } from '../schema/described.ts';
import { flag, oneOf, someOf, text, texts, whole } from '../schema/fields.ts';
import type { FieldsSchema } from '../schema/read.ts';
import type { ActedDocument } from './acted-schema.ts';
import type { CloseDocument, ReopenDocument, WakeDocument } from './close-schemas.ts';

/** One thing that can be asked for: every surface is made from it, and does the same. */
export interface Operation {
  readonly summary: string;
  /** What it may change: nothing, what is on record about a session, or sessions themselves. */
  readonly changes: 'looks' | 'declares' | 'acts' | 'streams';
  /** Everything that it takes. A field that is not known is a mistake, and not a later version's. */
  readonly input: FieldsSchema;
  /** The document that it answers with. */
  readonly output: keyof Outputs;
  /** How it may fail; each is an exit code of the command, and a status of HTTP. */
  readonly fails: readonly Exclude<ExitName, 'done'>[];
  /** The field of the input that stands in its address. */
  readonly word: 'session' | 'receipt';
}

const TEN_YEARS_MS = 3650 * 86_400_000;
/** The latest time that a date can name. */
const LATEST = 8_640_000_000_000_000;

function may<const S extends v.GenericSchema>(schema: S, means: string) {
  return v.optional(described(schema, means));
}

/** The longest word by which something is named: a path of a socket and a long name. */
export const LONGEST_WORD = 1000;

const session = described(
  text(LONGEST_WORD),
  'its name, `$id`, `%pane` or key; LABEL:NAME or SOCKETPATH:NAME where a name is not unique',
);
const servers = may(
  texts(20, 500),
  'only on these tmux servers: their labels, or the paths of their sockets',
);
const one = { session, servers };
const reason = may(text(1000), 'why, for others to read');
const dryRun = may(flag(), 'say what would be done, and do nothing');
const claim = may(text(500), 'recorded with it');

const despite = may(
  someOf(['attached', 'recent-input', 'human-managed', 'project-config-broken', 'held', 'retained']),
  'protections that are set aside',
);

const timeoutMs = may(
  whole(1000, 3_600_000),
  'how long all of it may take; then it gives up. A minute where left out',
);

const DECLARES = {
  changes: 'declares',
  output: 'Acted',
  fails: ['failed', 'usage', 'not-found', 'ambiguous', 'lock-held'],
  word: 'session',
} as const;

const ENDS = {
  changes: 'acts',
  output: 'Closed',
  fails: ['failed', 'usage', 'refused', 'not-found', 'ambiguous', 'timed-out'],
  word: 'session',
} as const;

export const OPERATIONS = {
  hold: {
    ...DECLARES,
    summary: 'Keep a session from being closed.',
    input: v.strictObject({ ...one, reason }),
  },
  unhold: { ...DECLARES, summary: 'Take a hold back.', input: v.strictObject(one) },
  retain: {
    ...DECLARES,
    summary: 'Keep a session until a certain time: one of forMs, until and release.',
    input: v.strictObject({
      ...one,
      forMs: may(whole(1, TEN_YEARS_MS), 'from now on for so long'),
      until: may(whole(1, LATEST), 'until then, epoch milliseconds'),
      release: may(flag(), 'keep it no longer'),
      reason,
    }),
  },
  complete: {
    ...DECLARES,
    fails: [...DECLARES.fails, 'refused'],
    summary: 'Declare the work of a session done.',
    input: v.strictObject({
      ...one,
      outcome: may(oneOf(['done', 'failed']), 'how it ended; `done` where left out'),
      task: may(text(200), 'the task that is over; it has to be the session’s'),
      evidence: may(texts(20, 1000), 'what shows that it is done'),
      cancel: may(flag(), 'take the completion back'),
    }),
  },
  adopt: {
    ...DECLARES,
    summary: 'Take a session into rollcall’s care, or record what one works on.',
    input: v.strictObject({
      ...one,
      ...(Object.fromEntries(CLAIMS.map((name) => [name, claim])) as Record<
        (typeof CLAIMS)[number],
        typeof claim
      >),
    }),
  },
  close: {
    ...ENDS,
    summary: 'Close a session as a careful person would, and keep what it was.',
    input: v.strictObject({
      ...one,
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
  },
  hibernate: {
    ...ENDS,
    summary: 'Let an idle agent leave to free memory; its session stays, and wakes on Enter.',
    input: v.strictObject({
      ...one,
      dryRun,
      automatic: may(
        flag(),
        'no person asked for it: only what is safe to close, under care and unprotected; not with `despite`',
      ),
      despite,
      timeoutMs,
      reason,
    }),
  },
  wake: {
    summary: 'Wake an agent that sleeps: the same conversation, in the same pane.',
    changes: 'acts',
    input: v.strictObject(one),
    output: 'Woken',
    fails: ['failed', 'usage', 'refused', 'not-found', 'ambiguous'],
    word: 'session',
  },
  reopen: {
    summary: 'Put back a session that was closed or lost.',
    changes: 'acts',
    input: v.strictObject({
      receipt: described(
        text(LONGEST_WORD),
        'a receipt; or the name, `$id` or key of a session, of which the newest is meant',
      ),
      unsealed: may(
        flag(),
        'also from the archive of an earlier version, whose receipt has no digest to compare it with',
      ),
      name: may(text(200), 'another name than it had'),
      onCollision: may(oneOf(['fail', 'suffix']), 'where the name is taken: fail, or add a number to it'),
      server: may(text(500), 'label or socket path of a tmux server; the one that it was on otherwise'),
    }),
    output: 'Reopened',
    fails: ['failed', 'usage', 'refused', 'not-found', 'ambiguous'],
    word: 'receipt',
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
interface Outputs {
  readonly Acted: ActedDocument;
  readonly Closed: CloseDocument;
  readonly Woken: WakeDocument;
  readonly Reopened: ReopenDocument;
}

export type Output<N extends OperationName> = Outputs[(typeof OPERATIONS)[N]['output']];
export type Input<N extends OperationName> = v.InferOutput<(typeof OPERATIONS)[N]['input']>;

/** Something for each of them, by its name. */
export function eachOperation<T>(make: (name: OperationName) => T): Readonly<Record<OperationName, T>> {
  const names = Object.keys(OPERATIONS) as OperationName[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<OperationName, T>;
}

/** Where HTTP has it. */
export function pathOf(name: OperationName): string {
  return OPERATIONS[name].word === 'receipt'
    ? `/v1/receipts/{receipt}/${name}`
    : `/v1/sessions/{session}/${name}`;
}

/** What is left of the input for the body of a request: the word stands in the address. */
export function bodySchemaOf(name: OperationName): FieldsSchema {
  const { input, word }: Operation = OPERATIONS[name];
  const { [word]: _, ...entries } = input.entries;
  return v.strictObject(entries);
}
