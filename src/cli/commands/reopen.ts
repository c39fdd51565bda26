import { toReopenDocument } from '../../contract/close-document.ts';
import type { ClosedSession } from '../../core/close/find-receipt.ts';
import { findReceipt } from '../../core/close/find-receipt.ts';
import { receiptName } from '../../core/ledger/current-facts.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { WRITER } from '../../core/lock/subject.ts';
import type { ReopenResult } from '../../engine/act/reopen/order.ts';
import { reopenSession } from '../../engine/act/reopen/reopen-session.ts';
import { writerBusy } from '../act/one-session.ts';
import { withHands } from '../act/with-hands.ts';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { reopenedLines } from '../render/close-reopened.ts';
import { printLines } from '../render/line.ts';
import { holdingText } from '../render/lock-holding.ts';
import { ONE_SESSION } from '../session-words.ts';
import { serverWords } from '../take-roll.ts';
import { writeJson } from '../write-json.ts';

type Reopened = Extract<ReopenResult, { state: 'reopened' }>;

export const reopenCommand = defineCommand({
  name: 'reopen',
  summary: 'Put back a session that was closed or lost.',
  usage: ['rollcall reopen RECEIPT [flags]', 'rollcall reopen SESSION [flags]'],
  description: [
    'Makes the session again from what was kept when it was closed: name, windows, panes and their folders, and the agent with its own resume, so that its conversation goes on. Claims come with it. Other programs are not run again; they are listed. A lost session that rollcall started is made again from what it was started with.',
    'Refused where it lives: the session itself, one that was reopened from the same receipt, or its conversation in any other session.',
    'The new session is made on the tmux server that you are in, else on the default one; --server names another.',
  ],
  flags: {
    name: { kind: 'word', placeholder: 'NAME', default: 'the name it had', help: 'Call it otherwise.' },
    'on-collision': {
      kind: 'choice',
      placeholder: 'HOW',
      values: ['fail', 'suffix'],
      default: 'fail',
      help: 'Where the name is taken: fail, or add a number to it.',
    },
  },
  positional: {
    ...ONE_SESSION,
    placeholder: 'RECEIPT|SESSION',
    help: 'A receipt, as rollcall close and rollcall log show it; or the name, $id or key of a session, of which the newest is meant; a name also as LABEL:NAME.',
  },
  examples: [
    { command: 'rollcall reopen r4k7m2p9x3qwt', what: 'from its receipt' },
    { command: 'rollcall reopen build', what: 'the last one of that name' },
    {
      command: 'rollcall reopen build --name build-again --server work',
      what: 'elsewhere, under another name',
    },
  ],
  exits: [
    { name: 'done', when: 'it is there again' },
    {
      name: 'failed',
      when: 'it could not be made, its folders or its archive are gone, or its program ended at once',
    },
    { name: 'usage', when: 'no receipt, several, a wrong value, or a broken config file' },
    { name: 'refused', when: 'it lives, somebody else reopens it, or its name is taken' },
    { name: 'not-found', when: 'nothing of that name was closed' },
    { name: 'ambiguous', when: 'sessions on several servers had this name; they are listed' },
  ],
  run: ({ flags, words: [word = ''], surroundings }) =>
    withHands(surroundings, async (hands) => {
      const { stdout, env, argv, cwd } = surroundings;
      const [server, ...more] = serverWords(flags.server, cwd);
      if (more.length > 0)
        throw new Failure('usage', 'a session has one server', { hint: 'give one --server' });
      const closed = closedAs(hands.ledger.read().entries, word);
      const socketPath = hands.socketOf(server);
      const reopened = reopenedOr(
        await reopenSession(hands, {
          ...{ closed, socketPath, argv, name: flags.name ?? null },
          onCollision: flags['on-collision'] ?? 'fail',
          shell: env.SHELL ?? '/bin/sh',
        }),
        surroundings.now(),
      );
      if (flags.json) writeJson(stdout, documentOf(reopened, socketPath));
      else stdout.write(printLines(reopenedLines(reopened), false));
      return 0;
    }),
});

function closedAs(entries: readonly LedgerEntry[], word: string): ClosedSession {
  const found = findReceipt(entries, word);
  if (found.state === 'one') return found.closed;
  if (found.state === 'none') {
    throw new Failure('not-found', `nothing that rollcall closed or started is called '${word}'`, {
      hint: 'rollcall log shows receipts',
    });
  }
  throw new Failure('ambiguous', `'${word}' may be any of ${found.closed.length} sessions`, {
    details: found.closed.map(({ facts, receipt }) => {
      const from = receipt === null ? 'no receipt' : `receipt ${receiptName(receipt)}`;
      return `${facts.name}  ${from}  key ${facts.key}`;
    }),
    hint: 'give the receipt or the key',
  });
}

function reopenedOr(result: ReopenResult, now: number): Reopened {
  switch (result.state) {
    case 'reopened':
      return result;
    case 'lives':
      throw new Failure('refused', `${result.text}: session '${result.entry.name}'`, {
        hint: `rollcall explain ${result.entry.key}`,
      });
    case 'folders-missing':
      throw new Failure('failed', 'folders that it needs are gone', {
        details: result.folders,
        hint: 'make them again, for instance with git worktree add, and reopen it then',
      });
    case 'name-taken':
      throw new Failure('refused', `there is a session '${result.name}' already`, {
        hint: 'choose another with --name, or let rollcall add a number: --on-collision suffix',
      });
    case 'not-kept':
      throw new Failure('failed', `it cannot be made again: ${result.text}`);
    case 'died':
      throw new Failure('failed', `'${result.name}' was made again, and its program ended at once`, {
        details: [...(result.end?.screen ?? [])],
        hint: 'its receipt stays; try the command of its agent by hand',
      });
    case 'unrecorded':
      throw new Failure(
        'failed',
        `'${result.name}' is there again, but the ledger: ${result.error.message}`,
        {
          hint: `${result.error.hint}; the next rollcall command that changes anything records it`,
        },
      );
    case 'busy':
      if (result.by.name === WRITER.name) throw writerBusy(result.by, now);
      throw new Failure('refused', `it is being reopened by ${holdingText(result.by, now)}`);
    case 'failed':
      throw new Failure('failed', result.text, { hint: result.hint ?? undefined });
  }
}

function documentOf({ key, name, receipt, reopening, missing }: Reopened, socketPath: string) {
  const { argv, agent, windows } = reopening;
  return toReopenDocument({
    ...{ key, name, receipt, server: { socketPath }, reopens: reopening.key },
    argv: argv && [...argv],
    conversation: agent?.conversation ?? null,
    windows: Math.max(1, windows.length),
    panes: Math.max(
      1,
      windows.reduce((sum, { panes }) => sum + panes.length, 0),
    ),
    missing: [...missing],
  });
}
