import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { brokenVariables } from '../../../src/adapters/proc/broken-variables.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'variables-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

// As Node.js would have them.
const env = {
  BROKEN: 'a\ufffdb=c',
  WHOLE: '\ufffd',
  PLAIN: 'x',
  'na\ufffdme': 'x',
  PATH: '/\ufffd',
  LATER: '\ufffd',
};

it('are those whose bytes are no UTF-8, by value or by name', () => {
  const path = join(folder, 'environ');
  const entries = ['BROKEN=a\xffb=c', 'WHOLE=\xef\xbf\xbd', 'PLAIN=x', 'na\xfeme=x', 'PATH=/\xff', ''];
  writeFileSync(path, Buffer.from(entries.join('\0'), 'latin1'));
  expect(brokenVariables(env, path)).toEqual(['BROKEN', 'na\ufffdme']);
});

it('are all that may be, where no bytes can be read', () => {
  const nowhere = join(folder, 'none');
  expect(brokenVariables(env, nowhere)).toEqual(['BROKEN', 'WHOLE', 'na\ufffdme', 'LATER']);
  expect(brokenVariables({ PLAIN: 'ä' }, nowhere)).toEqual([]);
});
