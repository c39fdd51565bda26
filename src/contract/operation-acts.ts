import * as v from 'valibot';
import { CLAIMS } from '../core/ledger/current-facts.ts';
import { described } from '../schema/described.ts';
import { flag, oneOf, text, texts, whole } from '../schema/fields.ts';
import {
  claim,
  DECLARES,
  despite,
  dryRun,
  ENDS,
  LATEST,
  LONGEST_WORD,
  may,
  one,
  reason,
  servers,
  TEN_YEARS_MS,
  timeoutMs,
} from './operation-fields.ts';
import { eachOf } from './schema-parts.ts';

const CLAIM_FIELDS = eachOf(CLAIMS, claim);

// What changes what is on record about sessions, or sessions themselves.
export const ACT_OPERATIONS = {
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
    summary: 'Let rollcall manage a session, or record what one works on.',
    input: v.strictObject({ ...one, ...CLAIM_FIELDS }),
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
        'no person asked for it, as with --due: only what is safe to close, managed and unprotected; not with `force` or `despite`',
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
        'no person asked for it: only what is safe to close, managed and unprotected; not with `despite`',
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
    summary: 'Start a session that rollcall manages.',
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
} as const;
