import { expect, test } from 'vitest';
import { run } from './fake-outside.ts';

test('S53: whatever goes wrong, the hook is told nothing', async () => {
  for (const words of [[], ['/gate'], ['/gate', 'name'], ['/gate', 'name', 'run']]) {
    const ran = await run(['__stop', ...words]);
    expect([words, ran.exitCode, ran.stdout, ran.stderr]).toEqual([words, 0, '', '']);
  }
});
