import * as v from 'valibot';
import { CHECKS } from '../core/doctor/checks/index.ts';
import { ACTIVITIES, LIFECYCLES } from '../core/verdict/verdict.ts';
import { WAIT_STATES } from '../core/verdict/wait-state.ts';
import { described } from '../schema/described.ts';
import { flag, someOf, text, texts, whole } from '../schema/fields.ts';
import { LATEST, LONGEST_WORD, LOOKS, MOST_ENTRIES, may, one, servers } from './operation-fields.ts';

const since = may(
  whole(0, LATEST),
  'only from then on: epoch milliseconds; HTTP also takes 2h or 7d. The last seven days where left out',
);

// What changes nothing.
export const LOOK_OPERATIONS = {
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
} as const;
