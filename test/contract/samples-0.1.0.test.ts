import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { isContract } from '../../src/adapters/gate/valid-contract.ts';
import { readPayload } from '../../src/adapters/spool/read-event.ts';
import { readHeader } from '../../src/adapters/spool/read-header.ts';
import { loadConfig } from '../../src/config/load.ts';
import * as contract from '../../src/contract/index.ts';
import { readReceived } from '../../src/core/close/bodies.ts';
import { agentsIn } from '../../src/core/close/ended.ts';
import { findReceipt } from '../../src/core/close/find-receipt.ts';
import { readKept } from '../../src/core/close/kept-document.ts';
import { successorsIn } from '../../src/core/close/live-again.ts';
import { repositoriesIn } from '../../src/core/close/lost-folder.ts';
import { reopeningOfStart } from '../../src/core/close/reopen-start.ts';
import { reopeningOf } from '../../src/core/close/reopening.ts';
import { conversationsIn } from '../../src/core/conversation/clues.ts';
import { parseIndex } from '../../src/core/conversation/copy-index.ts';
import { gateTally } from '../../src/core/gate/report.ts';
import { readHistoryLine } from '../../src/core/history/record.ts';
import { parseLayout } from '../../src/core/layout/layout.ts';
import { currentFacts } from '../../src/core/ledger/current-facts.ts';
import type { LedgerEntry } from '../../src/core/ledger/entry.ts';
import { parseHolder } from '../../src/core/lock/holder.ts';
import { parseEnd } from '../../src/core/memory/ended.ts';
import { parseStart } from '../../src/core/sight/start.ts';

// Everything here was written by rollcall 0.1.0 and never changes: what it has kept, every later version can read. `read.json` is
// what 0.1.0 itself made of it.
const FOLDER = join(import.meta.dirname, '../fixtures/0.1.0');

const textOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const linesOf = (name: string) => textOf(name).split('\n').filter(Boolean);
const json = <T>(name: string) => JSON.parse(textOf(name)) as T;
const entries = linesOf('ledger.jsonl').map((line) => JSON.parse(line) as LedgerEntry);
const known = json<Record<string, unknown>>('read.json');

/** Compared as JSON: a map as its entries, and what is undefined not at all. */
const expectAsBefore = (name: string, read: unknown) =>
  expect(JSON.parse(JSON.stringify(read)), name).toEqual(known[name]);

describe('the ledger of 0.1.0', () => {
  it('has entries of every kind', () => {
    const kinds = new Set(entries.map(({ kind, action }) => `${kind} ${action}`));
    expect(kinds.size).toBeGreaterThan(35);
    expect(new Set(entries.map(({ kind }) => kind)).size).toBe(5);
  });

  it('tells the same facts', () => {
    expectAsBefore('facts', [...currentFacts(entries).values()]);
  });

  it('has the same receipts, and what is made from them', () => {
    const receipts = entries.filter(({ kind, action }) => kind === 'receipt' && action !== 'end-processes');
    const found = receipts.map(({ body }) => {
      const one = findReceipt(entries, String(body.receipt));
      if (one.state !== 'one') return one.state;
      const { facts, receipt, start } = one.closed;
      return {
        ...{ key: facts.key, receipt: receipt?.sequence, start: start?.sequence },
        ...{ kept: readReceived(body).conversations, digests: readReceived(body).digests },
        started:
          start && reopeningOfStart(facts, start.body, (_, word) => (word === null ? null : NOTHING_MORE)),
      };
    });
    expect(found.length).toBeGreaterThan(5);
    expectAsBefore('receipts', found);
  });

  it('has the same successors', () => {
    const all = entries.map(({ session }) => ({ key: session?.key ?? '', receipt: null, isPartial: false }));
    const found = all.map((one) => successorsIn(one, entries));
    expectAsBefore(
      'successors',
      found.map(({ keys, panes }) => ({ keys: [...keys], panes })),
    );
  });

  it('tells the same of the gate', () => {
    expectAsBefore('gate', gateTally(entries, [], 0, 1_800_000_000_000));
  });
});

const NOTHING_MORE = { argv: ['agent', '--resume'], dropped: [] };

describe('what 0.1.0 kept of sessions', () => {
  it.each(['archive-session', 'asleep-session'])('is made again from %s', (name) => {
    const document = readKept(json<object>(`${name}.json`));
    expectAsBefore(name, {
      reopening: { ...reopeningOf(document), document: undefined },
      repositories: repositoriesIn(document),
      conversations: conversationsIn(document),
      // Whether a session goes with its agent was not asked then.
      agents: agentsIn(document, ['%0', '%1', '%2']).map(({ isAll: _, ...agent }) => agent),
    });
  });

  it('is made again from a layout', () => {
    const { key } = json<{ key: string }>('layout.json');
    const layout = parseLayout(textOf('layout.json'), key);
    expectAsBefore('layout', {
      layout: { ...layout, document: undefined },
      reopening: layout && { ...reopeningOf(layout.document), document: undefined },
    });
  });

  it('tells how programs were started and ended, and what was copied', () => {
    expectAsBefore('start', parseStart(textOf('start.json')));
    expectAsBefore('variables', parseStart(textOf('archive-variables.json')));
    expectAsBefore('index', parseIndex(textOf('conversation-index.json')));
    expectAsBefore('end', parseEnd('run', textOf('end.txt')));
    expectAsBefore('holder', parseHolder(textOf('lock-holder.txt')));
  });

  it('has the contract of a gate', () => {
    expect(isContract(json('gate-contract.json'))).toBe(true);
  });

  it('has its history', () => {
    const read = linesOf('history.jsonl').map(readHistoryLine);
    expect(read.every(({ state }) => state === 'read')).toBe(true);
    expectAsBefore('history', read);
  });

  it('has what hooks wrote', () => {
    const [header = '', payload = ''] = textOf('hook-event.txt').split('\n\n');
    expectAsBefore('hook', { ...readHeader(header), ...readPayload(Buffer.from(payload), false) });
  });
});

describe('what people have from 0.1.0', () => {
  it('has settings that still mean the same', () => {
    const loading = loadConfig({ env: { ROLLCALL_CONFIG: join(FOLDER, 'config.json') }, cwd: '/' });
    const { written: _, ...settings } = loading.state === 'broken' ? {} : loading.config.settings;
    expectAsBefore('config', settings);
  });

  const documents = readdirSync(join(FOLDER, 'documents')).map((file) => file.replace('.json', ''));
  it.each(documents)('has the document %s, which is still one', (name) => {
    const word = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const schema = (contract as unknown as Record<string, v.GenericSchema>)[`${word}DocumentSchema`];
    expect(schema, name).toBeDefined();
    expect(v.safeParse(schema as v.GenericSchema, json(`documents/${name}.json`)).issues).toBeUndefined();
  });
});
