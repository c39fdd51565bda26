import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { foregroundWords, NODE_FLAGS, type UpCall } from '../../src/cli/up/up-call.ts';

it('every way to start a daemon bounds the memory that Node keeps free', () => {
  const call = { flags: { server: [] }, surroundings: { self: ['node', 'rollcall.cjs'], cwd: '/', env: {} } };
  expect(foregroundWords(call as unknown as UpCall)).toEqual([
    ...['node', ...NODE_FLAGS, 'rollcall.cjs', 'up', '--foreground'],
  ]);
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(scripts.start).toContain(`node ${NODE_FLAGS.join(' ')} dist/rollcall.cjs up --foreground`);
});
