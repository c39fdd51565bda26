import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationName } from '../../src/contract/operations.ts';
import { run } from '../cli/fake-outside.ts';
import { ServerRoom } from './server-room.ts';

/** The same thing, asked for on the command line and over HTTP; what went before it, too. */
interface Case {
  readonly flags: readonly string[];
  readonly body: object;
  readonly before?: readonly OperationName[];
  /** A scripted agent has to be there. */
  readonly agent?: true;
}

const CASES: Readonly<Record<OperationName, Case>> = {
  hold: { flags: ['--reason', 'reading'], body: { reason: 'reading' } },
  unhold: { flags: [], body: {}, before: ['hold'] },
  retain: { flags: ['--for', '2h', '--reason', 'demo'], body: { forMs: 7_200_000, reason: 'demo' } },
  complete: { flags: ['--evidence', 'tests pass'], body: { evidence: ['tests pass'] } },
  adopt: { flags: ['--task', 'T-1', '--pr', '34'], body: { task: 'T-1', pr: '34' } },
  close: { flags: ['--reason', 'over'], body: { reason: 'over' }, agent: true },
  hibernate: { flags: ['--reason', 'lunch'], body: { reason: 'lunch' }, agent: true },
  wake: { flags: [], body: {}, before: ['hibernate'], agent: true },
  reopen: { flags: [], body: {}, before: ['close'], agent: true },
};
const NAMES = Object.keys(OPERATIONS) as OperationName[];

const room = new ServerRoom();
beforeAll(async () => {
  await room.tmux.session('stays');
  await room.open();
});
afterAll(() => room.shut());

const command = async (name: OperationName, word: string, flags: readonly string[] = []) => {
  const { exitCode, stdout } = await run([name, word, ...flags, '--json'], {
    hands: () => room.hands(),
    env: { HOME: '/nowhere', SHELL: '/bin/sh' },
    now: Date.now,
  });
  return { exitCode, document: JSON.parse(stdout) };
};
const http = async (name: OperationName, word: string, body: object = {}) => {
  const of = OPERATIONS[name].word === 'receipt' ? 'receipts' : 'sessions';
  const { status, json } = await room.ask({ method: 'POST', path: `/v1/${of}/${word}/${name}`, body });
  return { status, document: json };
};

const SAID = new Set([
  'result',
  'exitCode',
  'isDryRun',
  'reason',
  'task',
  'role',
  'missing',
  'putBack',
  'hint',
]);

/** What is the same for two sessions that are alike: what came of it, and which fields tell of it. */
function outline(value: unknown, word: string): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((one) => outline(one, word));
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      if (VERDICT.has(key)) return [];
      if (!SAID.has(key)) return [[key, outline(part, word)]];
      return [
        [
          key,
          JSON.stringify(part)
            .replaceAll(word, 'NAME')
            .replace(/\br[a-z0-9]{12}\b/g, 'RECEIPT'),
        ],
      ];
    }),
  );
}

/** What a look says of the moment, and how far each rung had to go. */
const VERDICT = new Set([
  ...['activity', 'waitingFor', 'reasons', 'blockers', 'checks', 'waived', 'rungs', 'processes', 'panes'],
  ...['memoryBytes', 'agent', 'notes', 'survivors', 'evidence', 'digests'],
]);

describe.each(NAMES)('%s', (name) => {
  const { flags, body, before = [], agent } = CASES[name];

  it('answers the same on the command line and over HTTP', async () => {
    const answers: unknown[] = [];
    for (const by of ['typed', 'asked']) {
      const word = `${by}-${name}`;
      if (agent) await room.agent(word, 'leaves');
      else await room.tmux.session(word);
      for (const earlier of before) expect((await command(earlier, word)).exitCode).toBe(0);
      if (by === 'typed') {
        const { exitCode, document } = await command(name, word, flags);
        expect([exitCode, document.error]).toEqual([0, undefined]);
        answers.push(outline(document, word));
      } else {
        const { status, document } = await http(name, word, body);
        expect([status, document.detail]).toEqual([200, undefined]);
        answers.push(outline(document, word));
      }
    }
    expect(answers[1]).toEqual(answers[0]);
  });

  it('refuses the same, with the same words', async () => {
    const typed = await command(name, 'nobody', flags);
    const asked = await http(name, 'nobody', body);
    const { code, message, hint } = typed.document.error;
    expect([asked.document.code, asked.document.detail, asked.document.hint]).toEqual([code, message, hint]);
    expect([typed.exitCode, asked.status]).toEqual([4, 404]);
  });
});
