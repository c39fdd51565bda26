import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGateStore, noGateStore } from '../../../src/adapters/gate/gate-store.ts';
import { type GateContract, NOTHING_USED } from '../../../src/core/gate/contract.ts';
import type { GateStore } from '../../../src/ports/gate.ts';

let folder: string;
let gate: string;
let store: GateStore;
const uid = process.getuid?.() ?? 0;
const NOW = 1_800_000_000_000;
const open = () =>
  createGateStore({ folder: gate, uid, now: () => NOW, hasDaemon: (kind) => kind === 'codex' });

beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'gate-'));
  gate = join(folder, 'gate');
  store = open();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const contract = (
  id: string,
  over: Partial<GateContract> = {},
  paneId = '%1',
  kind = 'claude',
): GateContract => ({
  ...{ format: 1, id, task: null, startedAt: 1, expiresAt: NOW, cwd: '/work', project: null },
  checks: [{ check: { kind: 'clean' }, result: null }],
  reinforce: 3,
  owner: {
    session: { key: 'k', name: 'n' },
    server: { pid: 7, startTicks: 70, socketPath: '/s' },
    ...{ paneId, pane: { pid: 8, startTicks: 80 }, conversation: 'c', stampedAt: 1 },
    agent: { pid: 9, startTicks: 90, kind },
  },
  ...{ phase: 'open', ended: null, enforced: NOTHING_USED, shadowed: NOTHING_USED, stale: null },
  ...over,
});
const ended = (id: string, at: number) => contract(id, { phase: 'finished', ended: { at, text: '' } });
const owners = () => readFileSync(join(gate, 'owners'), 'utf8');
const ids = () => store.contracts().contracts.map(({ id }) => id);

describe('contracts', () => {
  test('are kept whole, for their user only, and the file of owners is in step', () => {
    expect([store.problem, ids(), store.contract('00000001')]).toEqual([null, [], null]);
    store.save(contract('00000001'));
    store.save(contract('00000002', {}, '%2', 'codex'));
    expect(owners()).toBe('rollcall-owners=1\npane 7 %1\npane 7 %2\nkind codex\n');
    expect(store.contract('00000001')).toEqual(contract('00000001'));
    for (const name of ['.', 'contracts', 'stops']) {
      expect([name, statSync(join(gate, name)).mode & 0o777]).toEqual([name, 0o700]);
    }
    expect(statSync(join(gate, 'contracts', '00000001.json')).mode & 0o777).toBe(0o600);
    store.save(ended('00000001', NOW));
    expect(owners()).toBe('rollcall-owners=1\npane 7 %2\nkind codex\n');
    expect(ids()).toEqual(['00000001', '00000002']);
    expect(readdirSync(join(gate, 'contracts'))).toEqual(['00000001.json', '00000002.json']);
  });

  test('S53: are as they were when the last step did not come, and a line of an owner too many does no harm', () => {
    store.save(contract('00000001'));
    const before = readFileSync(join(gate, 'contracts', '00000001.json'), 'utf8');
    const fail = () => {
      throw new Error('not recorded');
    };
    expect(() => store.save(contract('00000001', { task: 'other' }), fail)).toThrow('not recorded');
    expect(readFileSync(join(gate, 'contracts', '00000001.json'), 'utf8')).toBe(before);
    expect(() => store.save(ended('00000001', NOW), fail)).toThrow('not recorded');
    expect(owners()).toContain('pane 7 %1');
    expect(() => store.save(contract('00000002', {}, '%2'), fail)).toThrow('not recorded');
    expect(ids()).toEqual(['00000001']);
    expect(owners()).toContain('pane 7 %2');
    store.syncOwners();
    expect(owners()).not.toContain('pane 7 %2');
    let seen: string | null = null;
    store.save(contract('00000001', { task: 'new' }), () => {
      seen = store.contract('00000001')?.task ?? 'none';
    });
    expect([seen, store.contract('00000001')?.task]).toEqual(['none', 'new']);
  });

  test('S53: what was damaged, linked or left by somebody else is told, and the others stay', () => {
    store.save(contract('00000001'));
    const contracts = join(gate, 'contracts');
    const put = (id: string, value: unknown) =>
      writeFileSync(join(contracts, `${id}.json`), JSON.stringify(value));
    const counter = { ...NOTHING_USED, used: -1 };
    const wrong: readonly unknown[] = [
      { ...contract('00000010'), reinforce: '3' },
      { ...contract('00000010'), reinforce: 4 },
      { ...contract('00000010'), enforced: counter },
      { ...contract('00000010'), enforced: { used: 0, inARow: 0, last: null } },
      {
        ...contract('00000010'),
        checks: [{ check: { kind: 'command', argv: [], cwd: null, timeoutMs: 1 }, result: null }],
      },
      { ...contract('00000010'), checks: [{ check: { kind: 'shell' }, result: null }] },
      { ...contract('00000010'), cwd: 'relative' },
      { ...contract('00000010'), phase: 'finished' },
      { ...contract('00000010'), ended: { at: 1, text: '' } },
      { ...contract('00000010', {}, '%1 x') },
      { ...contract('00000010', {}, '%1', 'a b') },
      { ...contract('00000010'), expiresAt: null },
      contract('00000011'),
      [],
      null,
    ];
    for (const value of wrong) {
      put('00000010', value);
      expect([value, store.contract('00000010'), ids()]).toEqual([value, null, ['00000001']]);
      expect(store.contracts().damaged).toHaveLength(1);
    }
    rmSync(join(contracts, '00000010.json'));
    symlinkSync(join(contracts, '00000001.json'), join(contracts, '00000012.json'));
    writeFileSync(join(contracts, '00000013.json'), 'x'.repeat(300_000));
    mkdirSync(join(contracts, '00000014.json'));
    writeFileSync(join(contracts, 'note.json'), '');
    if (uid === 0) {
      put('00000015', contract('00000015'));
      chownSync(join(contracts, '00000015.json'), 12345, 12345);
    }
    expect(ids()).toEqual(['00000001']);
    expect(store.contracts().damaged).toHaveLength(uid === 0 ? 4 : 3);
    // Not even one that was asked to be kept so.
    expect(() => store.save({ ...contract('00000001'), cwd: 'x' })).toThrow('cannot be kept');
  });

  test('S53: a folder that is a link, open to others or somebody else’s is refused', () => {
    store.save(contract('00000001'));
    const contracts = join(gate, 'contracts');
    chmodSync(contracts, 0o755);
    expect(store.contracts()).toEqual({ contracts: [], damaged: [`${contracts}: other users can reach it`] });
    expect(store.contract('00000001')).toBeNull();
    // Its own folder is closed again by whoever writes.
    store.save(contract('00000002'));
    expect(ids()).toEqual(['00000001', '00000002']);
    renameSync(contracts, join(folder, 'aside'));
    symlinkSync(join(folder, 'aside'), contracts);
    expect(store.contracts()).toEqual({ contracts: [], damaged: [`${contracts}: it is a symbolic link`] });
    expect(() => store.save(contract('00000003'))).toThrow('it is a symbolic link');
    renameSync(gate, join(folder, 'gate-aside'));
    symlinkSync(join(folder, 'gate-aside'), gate);
    expect(open().problem).toBe(`${gate}: it is a symbolic link`);
    expect(() => store.save(contract('00000003'))).toThrow('it is a symbolic link');
    expect(existsSync(join(folder, 'aside', '00000003.json'))).toBe(false);
  });

  test('that ended are forgotten after a week, and at most 200 are kept; open ones stay', () => {
    const week = 7 * 86_400_000;
    store.save(contract('00000001', { startedAt: 1, expiresAt: 2 }));
    const contracts = join(gate, 'contracts');
    for (let number = 0; number < 205; number += 1) {
      const id = `a${String(number).padStart(7, '0')}`;
      writeFileSync(join(contracts, `${id}.json`), JSON.stringify(ended(id, NOW - number)));
    }
    store.save(ended('b0000000', NOW - week - 1));
    expect(existsSync(join(contracts, 'b0000000.json'))).toBe(false);
    expect(ids()).toHaveLength(201);
    expect([store.contract('00000001') !== null, store.contract('a0000199') !== null]).toEqual([true, true]);
    expect(store.contract('a0000200')).toBeNull();
  });
});

describe('modes and the switch', () => {
  test('are kept per user and per project, and taken back', () => {
    expect(store.modes()).toEqual({ user: null, projects: {}, problem: null });
    store.setMode(null, 'enforce');
    store.setMode('/a', 'off');
    store.setMode('/b', 'shadow');
    store.setMode('/a', null);
    expect(open().modes()).toEqual({ user: 'enforce', projects: { '/b': 'shadow' }, problem: null });
    store.setMode(null, null);
    expect(store.modes().user).toBeNull();
  });

  test('S53: what cannot be read is a problem, and what is set then holds', () => {
    const file = join(gate, 'mode.json');
    store.setMode(null, 'enforce');
    for (const text of [
      '',
      '{',
      '[]',
      'null',
      '{"format":1,"user":"on","projects":{}}',
      '{"format":1,"user":null}',
    ]) {
      writeFileSync(file, text);
      expect(store.modes()).toMatchObject({
        user: null,
        projects: {},
        problem: expect.stringContaining(file),
      });
    }
    store.setMode('/a', 'enforce');
    expect(store.modes()).toEqual({ user: null, projects: { '/a': 'enforce' }, problem: null });
    expect(existsSync(`${file}.damaged`)).toBe(true);
    rmSync(file);
    symlinkSync(`${file}.damaged`, file);
    expect(store.modes().problem).not.toBeNull();
  });

  test('S53: whatever has the name of the switch is the switch', () => {
    const file = join(gate, 'off');
    expect(store.switch()).toBeNull();
    store.setSwitch({ at: 5, reason: 'no\nmore' });
    expect(open().switch()).toEqual({ at: 5, reason: 'no\\nmore' });
    store.setSwitch(null);
    store.setSwitch(null);
    expect([store.switch(), existsSync(file)]).toEqual([null, false]);
    writeFileSync(file, '');
    expect(store.switch()).toEqual({ at: expect.any(Number), reason: null });
    rmSync(file);
    symlinkSync('/nowhere', file);
    expect(store.switch()).not.toBeNull();
    store.setSwitch(null);
    mkdirSync(file);
    expect(store.switch()).not.toBeNull();
    expect(() => store.setSwitch(null)).toThrow();
  });
});

describe('what the hook let through', () => {
  test('is read line by line, and what comes while it is emptied is kept', () => {
    expect(store.passed()).toEqual([]);
    store.emptyPassed();
    store.save(contract('00000001'));
    const file = join(gate, 'passed');
    writeFileSync(file, 'claude 7 %2\ncodex\n\u001b[31m 7 %2\nclaude 7 nonsense\ngemini 7 %12\n');
    expect(store.passed()).toEqual([
      { agentKind: 'claude', place: '7 %2' },
      { agentKind: 'codex', place: '' },
      { agentKind: 'gemini', place: '7 %12' },
    ]);
    writeFileSync(file, 'claude 7 %3\n', { flag: 'a' });
    store.emptyPassed();
    expect(store.passed()).toEqual([{ agentKind: 'claude', place: '7 %3' }]);
    store.emptyPassed();
    expect([store.passed(), existsSync(file), readdirSync(gate).sort()]).toEqual([
      [],
      false,
      ['contracts', 'owners', 'stops'],
    ]);
  });

  test('is bounded, and a link is nobody’s', () => {
    store.save(contract('00000001'));
    const file = join(gate, 'passed');
    writeFileSync(file, 'claude 7 %2\n'.repeat(30_000));
    expect(store.passed().length).toBe(Math.ceil((256 * 1024) / 12) - 1);
    store.emptyPassed();
    expect(store.passed()).toEqual([]);
    symlinkSync(join(gate, 'owners'), file);
    expect(store.passed()).toEqual([]);
    store.emptyPassed();
    expect(existsSync(join(gate, 'owners'))).toBe(true);
  });
});

test('without a state folder nothing is kept, and that is said', () => {
  const none = noGateStore('/nowhere/gate', 'there is no home folder');
  expect(none.contracts()).toEqual({ contracts: [], damaged: [] });
  expect([none.contract('00000001'), none.switch(), none.passed()]).toEqual([null, null, []]);
  expect(none.modes().problem).toBe('there is no home folder');
  for (const act of [
    () => none.save(contract('00000001')),
    () => none.setMode(null, 'off'),
    () => none.setSwitch(null),
    () => none.syncOwners(),
  ]) {
    expect(act).toThrow('there is no home folder');
  }
  none.emptyPassed();
});
