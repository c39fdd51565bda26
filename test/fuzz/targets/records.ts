import { ArchiveError } from '../../../src/adapters/archive/archive-folder.ts';
import { indexOf } from '../../../src/adapters/archive/conversations/read-index.ts';
import { readBounded, readDocument } from '../../../src/adapters/archive/read-document.ts';
import { createEndsFolder } from '../../../src/adapters/ends/ends-folder.ts';
import { sha256 } from '../../../src/adapters/files/digest.ts';
import { readOwnFile, readOwnText } from '../../../src/adapters/files/own-file.ts';
import { createContractFiles } from '../../../src/adapters/gate/contract-files.ts';
import { readModes, readSwitch } from '../../../src/adapters/gate/mode-files.ts';
import { createHistoryReader } from '../../../src/adapters/history/history-reader.ts';
import { createLayoutsFolder } from '../../../src/adapters/layouts/layouts-folder.ts';
import { readHolder } from '../../../src/adapters/lock/lock-file.ts';
import { createBudgetFile } from '../../../src/adapters/reaper/budget-file.ts';
import { createModeFile } from '../../../src/adapters/reaper/mode-file.ts';
import { createStartsFolder } from '../../../src/adapters/starts/starts-folder.ts';
import { createJsonFile } from '../../../src/adapters/state/json-file.ts';
import { readAnchor, sealedAnchorIn, textOf } from '../../../src/adapters/store-sqlite/anchor-file.ts';
import { EntryMalformed, selectEntries } from '../../../src/adapters/store-sqlite/entry-rows.ts';
import { readWitness } from '../../../src/adapters/store-sqlite/witness.ts';
import { readClosing, readEnding, readReceived, readStarted } from '../../../src/core/close/bodies.ts';
import { findReceipt } from '../../../src/core/close/find-receipt.ts';
import { documentText, readKept } from '../../../src/core/close/kept-document.ts';
import { reopeningOf } from '../../../src/core/close/reopening.ts';
import { parseIndex } from '../../../src/core/conversation/copy-index.ts';
import { readHistoryLine, readReapEvent } from '../../../src/core/history/record.ts';
import { parseLayout } from '../../../src/core/layout/layout.ts';
import { currentFacts } from '../../../src/core/ledger/current-facts.ts';
import { canonicalJson, parsedObject } from '../../../src/core/ledger/json.ts';
import { verifyChain } from '../../../src/core/ledger/verify-chain.ts';
import { parseHolder, toHolderLine } from '../../../src/core/lock/holder.ts';
import { endIn, parseEnd } from '../../../src/core/memory/ended.ts';
import { isRecollection } from '../../../src/core/memory/recollection.ts';
import { isNotifyMemory } from '../../../src/core/notify/memory.ts';
import { isPressureMemory } from '../../../src/core/pressure/memory.ts';
import { parseStart } from '../../../src/core/sight/start.ts';
import { once, recorded, recordedLines, samples } from '../corpus.ts';
import { type Target, target } from '../target.ts';

const UID = process.getuid?.() ?? 0;
const RUN = '358432d4-5492-4252-b7ef-e563f3242191';
const old = (name: string) => recorded(`fixtures/0.1.0/${name}`);
const layoutKey = once(() => String(JSON.parse(old('layout.json').toString('utf8')).key));

const HISTORY_NAME = '00000001-1794962580000.jsonl';
const WORDS = [
  '"at":1e999',
  '"__proto__":{"x":1}',
  'null',
  '"constructor":1',
  '[[[[',
  '"pid":-1',
  '"since":1e999',
];

const ANCHOR = textOf({ file: 'ledger.db', sequence: 5, hash: 'a'.repeat(64) });
const BUDGET = JSON.stringify([{ id: 'a', at: 5, awakeMs: 5, bootId: 'b', pid: 7, key: 'k', isOver: true }]);
const MODE = JSON.stringify({ format: 1, mode: 'shadow', stamp: 'x', breaker: null });
const RECOLLECTION = JSON.stringify({
  ...{ format: 1, bootId: 'b', at: 5, awakeMs: 5, suspendedMs: 0, steppedMs: 0, servers: {}, farewells: [] },
});

/** Entries as they lie in a database. */
function rowsIn(input: Buffer): unknown[] {
  return input
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const entry = parsedObject(line) as Record<string, unknown> | null;
      if (entry === null) return [];
      const { actor, session, bootId, body, ...rest } = entry as Record<
        string,
        Record<string, unknown> | null
      >;
      return [
        {
          ...rest,
          ...{ boot_id: bootId, actor_kind: actor?.kind, actor_pid: actor?.pid, actor_user: actor?.user },
          ...{ session_key: session?.key ?? null, session_name: session?.name ?? null },
          body: safely(() => canonicalJson(body)) ?? JSON.stringify(body),
        },
      ];
    });
}

function safely<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}

const isNothing = (answer: unknown): boolean => answer === null;

export const RECORD_TARGETS: readonly Target[] = [
  target({
    name: 'lock-holder',
    covers: [
      'core/lock/holder.ts#parseHolder',
      'adapters/lock/lock-file.ts#readHolder',
      'adapters/lock/lock-file.ts#holderIn',
    ],
    seeds: once(() => [old('lock-holder.txt')]),
    words: WORDS,
    parse(input, room) {
      return { parsed: parseHolder(input.toString('utf8')), read: readHolder(room.file('x.lock', input)) };
    },
    objection(_, { parsed }) {
      if (parsed === null) return null;
      const again = parseHolder(toHolderLine(parsed));
      return again?.pid === parsed.pid && again.name === parsed.name ? null : 'reads otherwise what it wrote';
    },
    damaged: ({ damage }, { parsed }) => (damage === 'cut' && parsed !== null ? 'reads half a line' : null),
    most: 64 * 1024,
  }),
  target({
    name: 'kept-start',
    covers: ['core/sight/start.ts#parseStart', 'adapters/starts/starts-folder.ts#createStartsFolder'],
    seeds: once(() => [old('start.json'), old('archive-variables.json')]),
    words: WORDS,
    parse(input, room) {
      room.file(`starts/${RUN}.json`, input);
      return {
        start: parseStart(input.toString('utf8')),
        read: createStartsFolder(`${room.folder}/starts`).of(RUN),
      };
    },
    damaged: ({ sample, damage, input }, { start }) =>
      start === null || input.toString('utf8').trim() === sample.toString('utf8').trim()
        ? null
        : `reads a start that is ${damage}`,
    most: 32 * 1024,
  }),
  target({
    name: 'kept-layout',
    covers: ['core/layout/layout.ts#parseLayout', 'adapters/layouts/layouts-folder.ts#createLayoutsFolder'],
    seeds: once(() => [old('layout.json')]),
    words: WORDS,
    parse(input, room) {
      room.file(`layouts/${layoutKey()}.json`, input);
      return {
        layout: parseLayout(input.toString('utf8'), layoutKey()),
        all: createLayoutsFolder(`${room.folder}/layouts`).of(layoutKey()),
      };
    },
    damaged: ({ sample, damage, input }, { layout }) =>
      isNothing(layout) || input.toString('utf8').trim() === sample.toString('utf8').trim()
        ? null
        : `reads a layout that is ${damage}`,
    growth: 100,
    most: 32 * 1024,
  }),
  target({
    name: 'kept-document',
    covers: [
      'core/close/kept-document.ts#readKept',
      'adapters/archive/read-document.ts#readDocument',
      'adapters/archive/read-document.ts#readBounded',
    ],
    seeds: once(() => [old('archive-session.json'), old('asleep-session.json')]),
    words: [...WORDS, '"argv":[]', '"windows":null', '"panes":{}'],
    parse(input, room) {
      const path = room.file('session.json', input);
      const { document } = readDocument(path);
      return {
        document,
        again: readKept(JSON.parse(documentText(document))),
        made: reopeningOf(document),
        bytes: readBounded(path, 1e9).length,
      };
    },
    isDeclared: (error) => error instanceof ArchiveError,
    objection: (_, { document, again }) =>
      JSON.stringify(document) === JSON.stringify(again) ? null : 'reads otherwise what it wrote',
    infinite: 'what is not known here stays as it was written',
    growth: 400,
    most: 32 * 1024,
  }),
  target({
    name: 'copy-index',
    covers: [
      'core/conversation/copy-index.ts#parseIndex',
      'adapters/archive/conversations/read-index.ts#indexOf',
    ],
    seeds: once(() => [old('conversation-index.json')]),
    words: [...WORDS, '"path":"../x"', '"bytes":1e999'],
    parse(input, room) {
      room.file('copies/one/index.json', input);
      return {
        parsed: parseIndex(input.toString('utf8')),
        read: indexOf(`${room.folder}/copies`, 'one')?.index ?? null,
      };
    },
    objection: (_, { parsed }) =>
      parsed?.files.some(({ path, bytes }) => !path.startsWith('/') || bytes < 0)
        ? 'names a file that is none'
        : null,
    damaged: ({ sample, damage, input }, { parsed }) =>
      parsed === null || input.toString('utf8').trim() === sample.toString('utf8').trim()
        ? null
        : `reads an index that is ${damage}`,
    most: 32 * 1024,
  }),
  target({
    name: 'end-record',
    covers: [
      'core/memory/ended.ts#parseEnd',
      'core/memory/ended.ts#endIn',
      'adapters/ends/ends-folder.ts#createEndsFolder',
    ],
    seeds: once(() => [old('end.txt')]),
    words: [
      'rollcall-end whole',
      'rollcall-end 1\n',
      '\n\n',
      'status 0\n',
      'signal 9\n',
      'time 5\n',
      'session $1 %1\n',
    ],
    parse(input, room) {
      const text = input.toString('utf8');
      room.file(`ends/${RUN}`, input);
      return {
        end: parseEnd(RUN, text, ['secret-value']),
        told: endIn(parsedObject(text) ?? {}),
        read: createEndsFolder(`${room.folder}/ends`).of(RUN),
      };
    },
    objection(_, { end }) {
      if (end === null) return null;
      if (end.lines.some((line) => line.includes('secret-value'))) return 'shows a value that was given';
      return end.lines.length <= 40 && end.lines.every((line) => line.length <= 200)
        ? null
        : 'keeps too much';
    },
    damaged: ({ damage }, { end }) => (damage === 'cut' && end !== null ? 'reads half a record' : null),
    most: 64 * 1024,
  }),
  target({
    name: 'history-line',
    covers: [
      'core/history/record.ts#readHistoryLine',
      'core/history/record.ts#readReapEvent',
      'adapters/history/history-reader.ts#createHistoryReader',
    ],
    seeds: once(() => recordedLines('fixtures/0.1.0/history.jsonl')),
    words: [...WORDS, '"kind":"beat"', '"now":[1,2,3]', '\n'],
    async parse(input, room) {
      room.file(`history/${HISTORY_NAME}`, input);
      const parts: unknown[] = [];
      for await (const part of createHistoryReader(`${room.folder}/history`).read(0)) parts.push(part);
      const line = input.toString('utf8');
      return { read: readHistoryLine(line), reap: readReapEvent(parsedObject(line)), parts };
    },
    damaged: ({ damage, input }, { read }) =>
      read.state === 'read' && input.at(-1) !== 0x0a ? `reads a line that is ${damage}` : null,
    growth: 200,
    most: 32 * 1024,
  }),
  target({
    name: 'ledger-rows',
    covers: [
      'adapters/store-sqlite/entry-rows.ts#selectEntries',
      'core/ledger/verify-chain.ts#verifyChain',
      'core/ledger/current-facts.ts#currentFacts',
      'core/close/find-receipt.ts#findReceipt',
    ],
    seeds: once(() => [old('ledger.jsonl'), ...recordedLines('fixtures/0.1.0/ledger.jsonl').slice(0, 60)]),
    words: [...WORDS, '"body":{}', '"kind":"outcome"', '"cause":1', '\n', '"result":"done"'],
    parse(input) {
      const rows = rowsIn(input);
      const prepare = () => ({ all: () => rows, get: () => rows[0] });
      const entries = selectEntries({ prepare } as never, 0, 1000);
      const { valid, damage } = verifyChain(entries, sha256);
      return {
        valid,
        of: entries.length,
        damage,
        facts: currentFacts(entries),
        found: findReceipt(entries, 'mine').state,
      };
    },
    isDeclared: (error) => error instanceof EntryMalformed,
    infinite: 'a body holds what was recorded',
    growth: 400,
    most: 64 * 1024,
  }),
  target({
    name: 'ledger-bodies',
    covers: ['readStarted', 'readReceived', 'readClosing', 'readEnding'].map(
      (name) => `core/close/bodies.ts#${name}`,
    ),
    seeds: once(() =>
      recordedLines('fixtures/0.1.0/ledger.jsonl').map((line) =>
        Buffer.from(JSON.stringify(JSON.parse(line.toString('utf8')).body)),
      ),
    ),
    words: [...WORDS, '"digests":{"a":1}', '"processes":[{}]', '"survivors":[{"pid":1e999,"startTicks":1}]'],
    parse(input) {
      const body = parsedObject(input.toString('utf8'));
      if (body === null) return null;
      return [readStarted(body), readReceived(body), readClosing(body), readEnding(body)];
    },
    infinite: 'the bodies that are kept are canonical JSON, which has no such number',
    growth: 100,
  }),
  target({
    name: 'canonical-json',
    covers: ['core/ledger/json.ts#canonicalJson', 'core/ledger/json.ts#parsedObject'],
    seeds: once(() => [
      ...recordedLines('fixtures/0.1.0/ledger.jsonl').slice(0, 10),
      Buffer.from('{"b":1,"a":[{"z":null}]}'),
    ]),
    words: WORDS,
    parse(input) {
      const value = parsedObject(input.toString('utf8'));
      return value === null ? null : canonicalJson(value);
    },
    isDeclared: (error) => error instanceof TypeError,
    objection: (_, text) =>
      text === null || canonicalJson(JSON.parse(text)) === text
        ? null
        : 'writes it otherwise the second time',
  }),
  target({
    name: 'ledger-anchor',
    covers: [
      'adapters/store-sqlite/anchor-file.ts#sealedAnchorIn',
      'adapters/store-sqlite/anchor-file.ts#readAnchor',
      'adapters/store-sqlite/witness.ts#readWitness',
      'adapters/files/own-file.ts#readOwnFile',
      'adapters/files/own-file.ts#readOwnText',
      'adapters/files/own-file.ts#readAt',
    ],
    seeds: samples(ANCHOR),
    words: WORDS,
    parse(input, room) {
      room.file('witness.json', input);
      const path = room.file('ledger.head', input);
      const whole = readOwnFile(path, { uid: null, maxBytes: 1e9 })?.bytes.length;
      return {
        anchor: sealedAnchorIn(input.toString('utf8')),
        read: readAnchor(room.folder),
        witness: readWitness(room.folder),
        whole,
        text: readOwnText(path, 1e9)?.length,
      };
    },
    damaged: ({ damage, input }, { anchor, witness }) =>
      (anchor ?? witness) !== null && input.toString('utf8') !== ANCHOR
        ? `reads an anchor that is ${damage}`
        : null,
    most: 8192,
  }),
  target({
    name: 'gate-files',
    covers: [
      'adapters/gate/contract-files.ts#createContractFiles',
      'adapters/gate/mode-files.ts#readModes',
      'adapters/gate/mode-files.ts#readSwitch',
    ],
    seeds: once(() => [
      old('gate-contract.json'),
      ...samples('{"format":1,"user":"enforce","projects":{"/a":"shadow"}}', '{"at":5,"reason":"x"}')(),
    ]),
    words: [...WORDS, '"projects":{"__proto__":"enforce"}', '"at":1e999', '"expiresAt":1e999'],
    parse(input, room) {
      const id = String(parsedObject(input.toString('utf8'))?.id ?? '');
      const name = /^[0-9a-f]{8}$/.test(id) ? id : '00000000';
      room.file(`gates/${name}.json`, input);
      const files = createContractFiles(`${room.folder}/gates`, UID);
      const contract = files.read(name);
      return {
        contract,
        modes: readModes(room.file('modes.json', input)),
        off: readSwitch(room.file('off.json', input)) !== null,
      };
    },
    objection: (_, { modes }) =>
      modes.user !== null && !['off', 'shadow', 'enforce'].includes(modes.user)
        ? `has the mode ${String(modes.user)}`
        : null,
    most: 32 * 1024,
  }),
  target({
    name: 'state-files',
    covers: [
      'adapters/state/json-file.ts#createJsonFile',
      'adapters/reaper/mode-file.ts#createModeFile',
      'adapters/reaper/budget-file.ts#createBudgetFile',
      'core/memory/recollection.ts#isRecollection',
      'core/notify/memory.ts#isNotifyMemory',
      'core/pressure/memory.ts#isPressureMemory',
    ],
    seeds: samples(BUDGET, MODE, RECOLLECTION),
    words: [...WORDS, '"awakeMs":-1e999', '"servers":[]', '"mode":"off"'],
    parse(input, room) {
      const { folder } = room;
      const load = (isValid: (value: unknown) => value is object) => {
        room.file('state.json', input);
        return createJsonFile({ folder, name: 'state.json', maxBytes: 1e8, isValid }).load();
      };
      room.file('reaper.json', input);
      room.file('reaps.json', input);
      const now = () => ({ at: 1e12, awakeMs: 1e7, suspendedMs: 0 });
      const budget = createBudgetFile({
        folder,
        uid: UID,
        perHour: 3,
        settleMs: 0,
        host: () => ({ bootId: 'b' }),
        now,
      });
      return [
        createModeFile(folder).read(),
        budget.read(),
        load(isRecollection as never),
        load(isNotifyMemory as never),
        load(isPressureMemory as never),
      ];
    },
    growth: 100,
    most: 16 * 1024,
  }),
];
