import * as v from 'valibot';
import { CHECKS } from '../core/doctor/checks/index.ts';
import type { ExitName } from '../core/exit-codes.ts';
import { CLAIMS } from '../core/ledger/current-facts.ts';
import { ACTIVITIES, LIFECYCLES } from '../core/verdict/verdict.ts';
import { WAIT_STATES } from '../core/verdict/wait-state.ts';
import { described } from '../schema/described.ts';
import { flag, oneOf, someOf, text, texts, whole } from '../schema/fields.ts';
import type { FieldsSchema } from '../schema/read.ts';
import type { ActedDocument } from './acted-schema.ts';
import type { CloseDocument, ReopenDocument, WakeDocument } from './close-schemas.ts';
import type { DoctorDocument } from './doctor-schema.ts';
import type { ExplainDocument, RollDocument } from './document-schemas.ts';
import type { GateReportDocument, GateStatusDocument } from './gate-schemas.ts';
import type { WaitDocument } from './guard-schemas.ts';
import type { ReapReportDocument } from './history-schemas.ts';
import type { LogDocument } from './ledger-schemas.ts';
import {
  claim,
  DECLARES,
  despite,
  dryRun,
  ENDS,
  LATEST,
  LONGEST_WORD,
  LOOKS,
  MOST_ENTRIES,
  may,
  one,
  reason,
  servers,
  TEN_YEARS_MS,
  timeoutMs,
} from './operation-fields.ts';
import type { RestoreDocument } from './restore-schema.ts';
import type { StatusDocument } from './status-schema.ts';

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
  /** The field of the input that stands in its address; null where none does. */
  readonly word: 'session' | 'receipt' | null;
  /** Where HTTP has it, if that is not at its own name. */
  readonly path?: string;
  /** The command that does it, where that is not called as it is. */
  readonly command?: string;
  /** Only the process of whoever asks can do it, and why; HTTP does not have it. */
  readonly carried?: 'here';
  readonly because?: string;
}

const since = may(
  whole(0, LATEST),
  'only from then on: epoch milliseconds; HTTP also takes 2h or 7d. The last seven days where left out',
);

const CLAIM_FIELDS = Object.fromEntries(CLAIMS.map((name) => [name, claim])) as Record<
  (typeof CLAIMS)[number],
  typeof claim
>;

export const OPERATIONS = {
  roll: {
    ...LOOKS,
    summary: 'Every session, worst first.',
    input: v.strictObject({
      sessions: may(
        texts(100, LONGEST_WORD),
        'only these: names, `$id`s, `%pane`s, keys, LABEL:NAME or patterns',
      ),
      servers,
      lifecycle: may(someOf(LIFECYCLES), 'only sessions with one of these'),
      activity: may(someOf(ACTIVITIES), 'only sessions with one of these'),
      agent: may(texts(20, 100), 'only sessions with one of these agents; `none` for those without one'),
      name: may(text(LONGEST_WORD), 'only sessions with exactly this name'),
      all: may(flag(), 'also sessions that were closed or have finished'),
      fresh: may(flag(), 'of a daemon: look now, and do not tell what the last round saw'),
    }),
    output: 'Roll',
    fails: ['failed', 'usage', 'not-found'],
    path: '/v1/roll',
  },
  explain: {
    ...LOOKS,
    summary: 'A thorough look at one session, with everything that its verdict is made from.',
    input: v.strictObject(one),
    output: 'Explained',
    fails: ['failed', 'usage', 'not-found', 'ambiguous'],
    word: 'session',
    path: '/v1/sessions/{session}/evidence',
  },
  wait: {
    ...LOOKS,
    summary: 'Wait until sessions have reached a state.',
    input: v.strictObject({
      sessions: described(
        texts(100, LONGEST_WORD),
        'the sessions: names, `$id`s, `%pane`s, keys or LABEL:NAME',
      ),
      until: described(someOf(WAIT_STATES), 'the states to wait for'),
      any: may(flag(), 'until one of the sessions has reached one; until all have where left out'),
      timeoutMs: may(
        whole(1, 30 * 86_400_000),
        'give up after so long; over HTTP 600000 at most, and 30000 where left out',
      ),
      servers,
    }),
    output: 'Waited',
    fails: ['failed', 'usage', 'not-found', 'ambiguous', 'timed-out'],
    path: '/v1/wait',
  },
  status: {
    ...LOOKS,
    summary: 'The daemon, the pressure, the sessions, the ledger.',
    input: v.strictObject({ servers }),
    output: 'Status',
    fails: ['usage', 'not-found', 'daemon-needed'],
    path: '/v1/status',
  },
  doctor: {
    ...LOOKS,
    summary: 'Orphans, leftovers and wrong set-ups: what was found, and from what that was concluded.',
    input: v.strictObject({
      only: may(someOf(CHECKS.map(({ name }) => name)), 'only these checks'),
      servers,
    }),
    output: 'Examined',
    fails: ['failed', 'usage', 'not-found', 'infrastructure-failure'],
    path: '/v1/doctor',
  },
  log: {
    ...LOOKS,
    summary: 'Entries of the ledger, oldest first: the newest ones, or a page of those after one of them.',
    input: v.strictObject({
      session: may(
        text(LONGEST_WORD),
        'only what concerns the sessions that have or had this name, `$id` or key',
      ),
      since: may(whole(0, LATEST), 'only entries from then on: epoch milliseconds; HTTP also takes 2h or 7d'),
      after: may(
        whole(0, Number.MAX_SAFE_INTEGER),
        'only entries after this sequence; `next` of the page before',
      ),
      limit: may(whole(1, MOST_ENTRIES), 'at most so many; over HTTP 1 to 500, and 100 where left out'),
    }),
    output: 'Log',
    fails: ['failed', 'usage', 'not-found'],
    path: '/v1/ledger',
  },
  reapReport: {
    ...LOOKS,
    summary: 'What the reaper did or would have done, and what kept it.',
    input: v.strictObject({ since }),
    output: 'Reaps',
    fails: ['failed', 'usage'],
    path: '/v1/reap/report',
    command: 'reap report',
  },
  gateStatus: {
    ...LOOKS,
    summary: 'Which agents are to go on, and what was missing when they were last looked at.',
    input: v.strictObject({
      session: may(text(LONGEST_WORD), 'only of this session, or the contract with this id'),
      pane: may(text(20), 'only of this pane of the session'),
      all: may(flag(), 'those too that ended in the last days'),
      servers,
    }),
    output: 'Gate',
    fails: ['failed', 'usage', 'not-found', 'ambiguous'],
    path: '/v1/gate',
    command: 'gate status',
  },
  gateReport: {
    ...LOOKS,
    summary: 'What the stop gate did or would have done.',
    input: v.strictObject({ since }),
    output: 'GateReport',
    fails: ['failed', 'usage'],
    path: '/v1/gate/report',
    command: 'gate report',
  },
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
      ...CLAIM_FIELDS,
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
  restore: {
    summary: 'Bring back the sessions that a crash or a reboot took.',
    changes: 'acts',
    input: v.strictObject({
      sessions: may(
        texts(100, LONGEST_WORD),
        'only these, also where somebody removed them; all that were lost where left out',
      ),
      servers,
      dryRun,
      yes: may(flag(), 'start them; needed unless it is a `dryRun`'),
      asleep: may(flag(), 'let the agents sleep in their panes'),
      programs: may(flag(), 'also start programs again that are no agents'),
      since: may(whole(0, LATEST), 'only sessions that were last seen from then on: epoch milliseconds'),
      parallel: may(whole(1, 32), 'how many at the same time; 4 where left out'),
    }),
    output: 'Restored',
    fails: ['failed', 'usage', 'refused', 'not-found', 'ambiguous'],
    word: null,
    path: '/v1/restore',
  },
  run: {
    summary: 'Start a session in rollcall’s care.',
    changes: 'acts',
    input: v.strictObject({
      program: described(texts(1000, 100_000), 'the program and its arguments; no shell reads them'),
      name: may(text(500), 'the session’s name; the program’s where left out'),
      ...CLAIM_FIELDS,
      cwd: may(text(4000), 'where it runs; here where left out'),
      env: may(texts(200, 100_000), 'variables, each NAME=VALUE, or NAME for the value that it has here'),
      cleanEnv: may(flag(), 'leave out the environment of this process'),
      server: may(text(500), 'label or socket path of a tmux server'),
      remain: may(flag(), 'keep the pane with its last screen when the program ends'),
      onCollision: may(oneOf(['fail', 'suffix']), 'where the name is taken: fail, or add a number to it'),
      plain: may(flag(), 'start the program exactly as it is written'),
    }),
    output: 'Acted',
    fails: ['failed', 'usage', 'refused', 'not-found', 'lock-held', 'infrastructure-failure'],
    word: null,
    carried: 'here',
    because:
      'the environment is that of whoever asks, and whoever has a token must not be able to start any program',
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];
interface Outputs {
  readonly Roll: RollDocument;
  readonly Explained: ExplainDocument;
  readonly Waited: WaitDocument;
  readonly Status: StatusDocument;
  readonly Examined: DoctorDocument;
  readonly Log: LogDocument;
  readonly Reaps: ReapReportDocument;
  readonly Gate: GateStatusDocument;
  readonly GateReport: GateReportDocument;
  readonly Acted: ActedDocument;
  readonly Closed: CloseDocument;
  readonly Woken: WakeDocument;
  readonly Reopened: ReopenDocument;
  readonly Restored: RestoreDocument;
}

export type Output<N extends OperationName> = Outputs[(typeof OPERATIONS)[N]['output']];
/** Those that HTTP has. */
export type RoutedName = {
  [N in OperationName]: (typeof OPERATIONS)[N] extends { readonly carried: 'here' } ? never : N;
}[OperationName];
export const ROUTED_NAMES = OPERATION_NAMES.filter(
  (name): name is RoutedName => !('carried' in OPERATIONS[name]),
);

/** Those that change nothing. */
export type LookName = {
  [N in OperationName]: (typeof OPERATIONS)[N]['changes'] extends 'looks' ? N : never;
}[OperationName];

export type Input<N extends OperationName> = v.InferOutput<(typeof OPERATIONS)[N]['input']>;

/** Something for each of those that HTTP has, by its name. */
export function eachRouted<T>(make: (name: RoutedName) => T): Readonly<Record<RoutedName, T>> {
  return Object.fromEntries(ROUTED_NAMES.map((name) => [name, make(name)])) as Record<RoutedName, T>;
}

/** Looks are asked for in the address alone, everything else with a body. */
export function methodOf(name: OperationName): 'GET' | 'POST' {
  return OPERATIONS[name].changes === 'looks' ? 'GET' : 'POST';
}

/** Where HTTP has it. */
export function pathOf(name: OperationName): string {
  const { path, word }: Operation = OPERATIONS[name];
  return path ?? `/v1/${word}s/{${word}}/${name}`;
}

/** What is left of the input beside the word in the address: for the body of a request, or its query. */
export function restOf(name: OperationName): FieldsSchema {
  const { input, word }: Operation = OPERATIONS[name];
  if (word === null) return input;
  const { [word]: _, ...entries } = input.entries;
  return v.strictObject(entries);
}
