import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { agentsDocumentSchema } from '../../src/contract/document-schemas.ts';
import { run } from './fake-outside.ts';
import { entry, explained, roll } from './render/samples.ts';

const installed = [
  {
    ...{ kind: 'claude', path: '/usr/bin/claude', version: '2.1.325' },
    ...{ verified: { from: '2.1.325', to: '2.1.325' }, isVerified: true },
  },
  {
    ...{ kind: 'codex', path: '/usr/bin/codex', version: '9.0.0' },
    ...{ verified: { from: '0.166.0', to: '0.170.0' }, isVerified: false },
  },
  { kind: 'aider', path: '/usr/bin/aider', version: null, verified: null, isVerified: false },
];

describe('rollcall agents', () => {
  it('shows what is installed, what runs, what is heard and what is missing', async () => {
    const { stdout, exitCode } = await run(['agents'], { roll: roll([explained()]), installed });
    expect(stdout).toMatchInlineSnapshot(`
      "INSTALLED
        claude        2.1.325  verified  /usr/bin/claude
        codex         9.0.0  verified on 0.166.0–0.170.0 only  /usr/bin/codex
        aider         version not told  known by its process only  /usr/bin/aider

      RUNNING IN TMUX
        login-form %3  claude 2.1.37 (pid 4242), working
          heard: own status
          missing: its hooks are not installed
      "
    `);
    expect(exitCode).toBe(0);
  });

  it('says so where there are none', async () => {
    const { stdout } = await run(['agents'], { roll: roll([entry('plain')]) });
    expect(stdout).toMatchInlineSnapshot(`
      "INSTALLED
        no agent that rollcall knows is on PATH

      RUNNING IN TMUX
        none
      "
    `);
  });

  it('takes --server, and says when there is no such server', async () => {
    const { stderr, exitCode } = await run(['agents', '--server', 'nowhere'], { roll: roll([explained()]) });
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining("no tmux server 'nowhere' runs")]);
  });

  it('prints a document that fits its schema', async () => {
    const { stdout } = await run(['agents', '--json'], { roll: roll([explained()]), installed });
    const document = v.parse(agentsDocumentSchema, JSON.parse(stdout));
    expect(document.installed).toHaveLength(3);
    expect(document.running).toMatchObject([
      { session: 'login-form', kind: 'claude', sources: ['agent'], gaps: [{ code: 'hooks-silent' }] },
    ]);
  });

  it('knows of an agent that only its process tells of', async () => {
    const note = {
      ...{ pid: 7, startTicks: 1, parentPid: 1, program: 'aider', command: 'aider', role: 'agent' as const },
      ...{ agentKind: 'aider', relation: 'foreground' as const, startedAt: 0, memoryBytes: 0 },
    };
    const processes = {
      ...{ kind: 'processes' as const, source: 'process' as const, observedAt: 0, paneId: '%1' },
      processes: [note],
    };
    const { stdout } = await run(['agents'], { roll: roll([{ ...entry('old'), evidence: [processes] }]) });
    expect(stdout).toContain('aider (pid 7)');
    expect(stdout).toContain('missing: rollcall knows aider by its process only');
  });
});
