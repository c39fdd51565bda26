import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeGateParts } from '../../src/compose/gate/gate.ts';
import { openLedger } from '../../src/compose/ledger.ts';
import { defaultValues, toSettings } from '../../src/config/settings.ts';
import { gateReportDocumentSchema } from '../../src/contract/gate-schemas.ts';
import type { JsonObject } from '../../src/core/ledger/json.ts';
import { LedgerError } from '../../src/core/ledger/ledger-error.ts';
import { run } from './fake-outside.ts';
import { GateScene } from './gate-scene.ts';

let scene: GateScene;
beforeEach(() => {
  scene = new GateScene();
});
afterEach(() => scene.leave());

const SESSION = { key: 'k', name: 'fix\u001b12' };

async function record(...entries: readonly (readonly [action: string, body: JsonObject])[]): Promise<void> {
  const ledger = await openLedger(scene.env, 'hook');
  for (const [action, body] of entries) {
    const session = action === 'gate-passed' || action === 'gate-mode' ? null : SESSION;
    ledger.append({ kind: 'declared', action, session, body });
  }
  ledger.close();
}

const stop = (gate: string, verdict: string, reason: string, latencyMs = 80): [string, JsonObject] => [
  'gate-stop',
  { gate, verdict, reason, text: 'one thing is missing', agent: 'claude', mode: 'shadow', latencyMs },
];
const began = (gate: string, task: string): [string, JsonObject] => [
  'gate-start',
  { gate, task, expiresAt: Date.now() + 3_600_000 },
];

describe('rollcall gate report', () => {
  it('says where stops come from while there is nothing to tell', async () => {
    const { exitCode, stdout } = await scene.call('report');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('No stop was seen in that time.');
    expect(stdout).toContain('rollcall hooks install');
  });

  it('counts stops by verdict and reason, and how those ended that were or would have been blocked', async () => {
    await record(
      ['gate-passed', { stops: 40, by: { claude: 30, gemini: 10 } }],
      began('aaaaaaaa', 'the \u001b[31mparser'),
      stop('aaaaaaaa', 'would-block', 'checks-unmet'),
      stop('aaaaaaaa', 'approved', 'checks-met', 900),
      began('bbbbbbbb', 'docs'),
      stop('bbbbbbbb', 'blocked', 'checks-unmet'),
      stop('bbbbbbbb', 'approved', 'another-conversation'),
      ['gate-end', { gate: 'bbbbbbbb', phase: 'abandoned', text: 'no time' }],
      ['gate-mode', { from: null, to: 'enforce', project: null }],
    );
    const { stdout } = await scene.call('report');
    const shown = stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'THEN');
    expect(shown).toMatchInlineSnapshot(`
      "44 stops seen between THEN and THEN (claude 34, gemini 10): 42 let through, 1 would have been blocked, 1 blocked.

      WHY STOPS WERE LET THROUGH
        40  nobody-here: nobody owns anything in that pane
         1  another-conversation: another conversation than the owner’s
         1  checks-met: everything that was asked for held

      HOW THE BLOCKED ONES ENDED
        1  abandoned

      HOW THOSE ENDED THAT WOULD HAVE BEEN
        1  met what was asked for later

      CONTRACTS
        THEN  aaaaaaaa fix\\e12 (the \\e[31mparser): would have been 1 time; met: one thing is missing
        THEN  bbbbbbbb fix\\e12 (docs): blocked 1 time; abandoned: no time

      TIME
        4 stops that rollcall was asked about: half within 80 ms, 99 of 100 within 900 ms, the longest 900 ms

      CHANGES
        THEN  mode none to enforce
      "
    `);
    expect(v.parse(gateReportDocumentSchema, await scene.json('report'))).toMatchObject({
      ...{ stops: 44, approved: 42, wouldBlock: 1, blocked: 1, latency: { stops: 4, p50Ms: 80, maxMs: 900 } },
      reasons: [{ reason: 'nobody-here', times: 40 }, {}, {}],
      contracts: [
        { id: 'aaaaaaaa', ending: 'met', task: 'the \\e[31mparser', session: 'fix\\e12' },
        { id: 'bbbbbbbb', ending: 'abandoned', text: 'no time' },
      ],
      blockedEnds: { abandoned: 1, met: 0 },
      shadowEnds: { met: 1 },
    });
    expect(await scene.json('report', '--since', '0s')).toMatchObject({ stops: 0, contracts: [] });
  });

  it('is a table on a terminal that fits its width, in colour', async () => {
    await record(began('aaaaaaaa', 'x'.repeat(300)), stop('aaaaaaaa', 'would-block', 'checks-unmet'));
    scene.isTTY = true;
    const { stdout } = await scene.call('report');
    expect(stdout).toContain('\u001b[1m');
    const widths = stdout.split('\n').map((row) => row.replaceAll(/\u001b\[\d*m/g, '').length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(100);
    expect((await scene.call('report', '--no-color')).stdout).not.toContain('\u001b');
  });

  it('ends with 1 where the ledger cannot be read, and with 2 for a time that is none', async () => {
    const parts = {
      gate: async () => composeGateParts(scene.env, toSettings(defaultValues())),
      ledger: () => Promise.reject(new LedgerError('unavailable', 'the disk is gone', 'look at it')),
    };
    expect(await run(['gate', 'report'], parts)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('the disk is gone'),
    });
    expect(await scene.call('report', '--since', 'long')).toMatchObject({ exitCode: 2 });
  });
});
