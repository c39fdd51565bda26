import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'new-agent-'));
  mkdirSync(join(root, 'src/adapters/agents'), { recursive: true });
  for (const shared of ['core', 'ports', 'adapters/agents/common']) {
    symlinkSync(resolve('src', shared), join(root, 'src', shared));
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const script = (...argv: string[]) =>
  spawnSync(process.execPath, ['scripts/new-agent.mjs', ...argv], { encoding: 'utf8' });

describe('a new agent', () => {
  it('is laid out as an adapter that knows its process and hears nothing', async () => {
    expect(script('my-agent', 'mya', root).status).toBe(0);
    const path = join(root, 'src/adapters/agents/my-agent/my-agent-agent.ts');
    const { myAgentAgent } = await import(path);
    const agent = myAgentAgent();
    expect(agent.kind).toBe('my-agent');
    expect(agent.recognises(['/usr/bin/mya'])).toBe(true);
    expect(agent.recognises(['vim', 'mya'])).toBe(false);
    expect(agent.listen({})).toEqual({ signs: [], gaps: [], failures: [] });
    expect(readdirSync(join(root, 'test/fixtures/agents/my-agent'))).toEqual(['README.md']);
  });

  it('never writes over what is there', () => {
    expect(script('twice', 'twice', root).status).toBe(0);
    const again = script('twice', 'twice', root);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('exists already')]);
  });

  it.each([['Upper'], ['../up'], ['']])('is refused under the name %j', (name) => {
    expect(script(name, 'x', root)).toMatchObject({ status: 2, stderr: expect.stringContaining('usage') });
  });
});
