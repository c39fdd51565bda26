import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recollectionsIn } from '../../src/compose/look/parts.ts';
import { recall } from '../../src/core/memory/recollection.ts';
import type { HostIdentity } from '../../src/core/sight/identity.ts';
import { NOW } from '../support/evidence.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'recollections-'));
});
afterEach(() => rmSync(path, { recursive: true }));

const first: HostIdentity = { machineId: 'first', bootId: 'boot-1', name: 'box' };
const second: HostIdentity = { machineId: 'second', bootId: 'boot-2', name: 'other' };
const storeOn = (host: HostIdentity) => recollectionsIn({ state: 'ready', path }, () => host);

/** One look: what was found is taken, and what it remembers is left. */
function look(host: HostIdentity) {
  const store = storeOn(host);
  const { value } = store.load();
  expect(store.save(recall(value, host, NOW))).toBeNull();
  return value;
}

it('machines that share the state folder remember beside each other', () => {
  expect(look(first)).toBeNull();
  expect(look(second)).toBeNull();
  expect(readdirSync(path).sort()).toEqual(['recollection-second.json', 'recollection.json']);
  expect(look(first)).toMatchObject({ machine: 'first', bootId: 'boot-1' });
  expect(look(second)).toMatchObject({ machine: 'second', bootId: 'boot-2' });
  // After a restart of the machine what it left is still its own.
  expect(look({ ...second, bootId: 'boot-3' })).toMatchObject({ bootId: 'boot-2' });
  expect(look(first)).toMatchObject({ machine: 'first' });
});

it('S30: what another process saved is news, once, and what this one saved is not', () => {
  const [one, other] = [storeOn(first), storeOn(first)];
  for (const store of [one, other]) store.load();
  const of = (name: string) => ({ ...recall(null, first, NOW), machine: name });
  expect(one.save(of('one'))).toBeNull();
  expect(one.news?.()).toBeNull();
  expect(other.news?.()).toMatchObject({ machine: 'one' });
  expect(other.news?.()).toBeNull();
  expect(other.save(of('other'))).toBeNull();
  expect(one.news?.()).toMatchObject({ machine: 'other' });
});
