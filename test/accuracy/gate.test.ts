import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookFileIn } from '../../accuracy/gate-hook.ts';
import { gatedPage } from '../../accuracy/gate-report.ts';
import {
  contractOf,
  expectAll,
  expectReasons,
  latencyOf,
  reasonsOf,
  stopsIn,
  wentOnIn,
} from '../../accuracy/gate-words.ts';
import type { Dwelling } from '../../accuracy/habitat.ts';

const request = { id: 1, role: 'turn', receivedAt: 1, endedAt: 2, isAborted: false, called: null } as const;
const record = { ...request, remembered: [], model: 'scripted' };
const stop = { sequence: 1, verdict: 'approved', reason: 'another-pane', text: '', latencyMs: 12 };

describe('what a run about the gate holds against rollcall', () => {
  it('counts how often the model was told to go on, and its subagents apart', () => {
    const records = [
      { ...record, tag: 'k1', nudges: 0 },
      { ...record, tag: 'k1-sub', nudges: 1 },
      { ...record, tag: 'k1', nudges: 2 },
      { ...record, tag: 'k1', role: 'side', nudges: 9 } as const,
    ];
    expect(wentOnIn(records, 'k1')).toEqual({ wentOn: 2, requests: 2, subWentOn: 1 });
    expect(wentOnIn([], 'k1')).toEqual({ wentOn: 0, requests: 0, subWentOn: 0 });
  });

  it('takes the newest piece of work of a session, and says so where there is none', () => {
    const work = (id: string, startedAt: number, name = 'owner') => ({ id, startedAt, owner: { name } });
    const document = { contracts: [work('a', 1), work('c', 3, 'other'), work('b', 2)] };
    expect(contractOf(document, 'owner')).toMatchObject({ id: 'b' });
    expect(() => contractOf({ contracts: [] }, 'owner')).toThrow('gate status tells nothing of owner');
  });

  it('reads decisions from the ledger, and nothing else', () => {
    const body = { verdict: 'blocked', reason: 'checks-unmet', text: 'one', latencyMs: 3, more: 1 };
    const entries = [
      { sequence: 1, action: 'gate-start', body },
      { sequence: 2, action: 'gate-stop', body },
    ];
    expect(stopsIn({ entries })).toEqual([
      { sequence: 2, verdict: 'blocked', reason: 'checks-unmet', text: 'one', latencyMs: 3 },
    ]);
  });

  it('names the first thing that is not as it has to be', () => {
    expect(() => expectAll('it', { used: 0, phase: 'open' }, { used: 0 })).not.toThrow();
    expect(() => expectAll('it', { used: 1, phase: 'open' }, { used: 0 })).toThrow('it: used is 1, not 0');
  });

  it('wants a stop let through for the reason that it was brought about for', () => {
    expect(expectReasons([stop], ['another-pane'])).toBe('another-pane');
    expect(() => expectReasons([stop], ['no-contract'])).toThrow(
      'the reason is another-pane, not no-contract',
    );
    expect(() => expectReasons([], ['another-pane'])).toThrow('decided by the hook alone, not another-pane');
    expect(expectReasons([], ['decided by the hook alone'])).toBe('decided by the hook alone');
  });

  it('sums decisions up', () => {
    const blocked = { ...stop, verdict: 'blocked', reason: 'checks-unmet', latencyMs: 200 };
    expect(reasonsOf([stop, stop, blocked])).toBe('another-pane ×2, blocked');
    expect(reasonsOf([])).toBe('decided by the hook alone');
    expect(latencyOf([stop, blocked, stop])).toBe('3 decisions, p50 12 ms, longest 200 ms');
    expect(latencyOf([{ ...stop, latencyMs: null }, stop])).toBe('2 decisions, p50 12 ms, longest 12 ms');
    expect(latencyOf([])).toBe('no decision');
  });

  it('says on its page which scenes were not as they have to be', () => {
    const right = { name: 'shadow', ms: 1234, seen: 'it stops', failure: null };
    const wrong = { name: 'kill switch', ms: 10, seen: '', failure: 'the owner: wentOn is 1 | not 0' };
    const all = [
      { title: 'claude', scenes: [right] },
      { title: 'codex', scenes: [right, wrong] },
    ];
    const page = gatedPage(all, 'a machine');
    expect(page).toContain('| shadow | 1.2 s | it stops |');
    expect(page.match(/All of it was as it has to be\./g)).toHaveLength(1);
    expect(page).toContain('**not as it has to be:** the owner: wentOn is 1 \\| not 0');
    expect(page).toContain('Not as it has to be: kill switch.');
  });
});

describe('a hook that is tampered with', () => {
  let folder: string;
  let path: string;
  // Answers with what it got, so that it shows what reached it.
  const HOOK = '#!/bin/sh\nprogram=\'/there\'\nprintf \'%s %s %s %s \' "$1" "$2" "$TMUX" "$program"\ncat\n';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rollcall-hook-file-'));
    path = join(folder, 'home', '.local', 'share', 'rollcall', 'hook.sh');
    mkdirSync(join(path, '..'), { recursive: true });
    mkdirSync(join(folder, 'bin'));
    writeFileSync(path, HOOK);
    chmodSync(path, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const hook = () => hookFileIn({ home: join(folder, 'home'), folder } as Dwelling);
  const call = (event: string) =>
    execFileSync(path, ['claude', event], {
      input: '{"session_id": "abc","more":1}',
      encoding: 'utf8',
      env: { PATH: process.env.PATH, TMUX: '/s,1,2' },
    });

  it.each([
    ['empty', 'claude Stop /s,1,2 /there {"session_id":"","more":1}'],
    ['rotated', 'claude Stop /s,1,2 /there {"session_id":"00000000-0000-4000-8000-000000000000","more":1}'],
    ['garbage', 'claude Stop /s,1,2 /there {"session_id":'],
    ['untmuxed', 'claude Stop  /there {"session_id": "abc","more":1}'],
    ['twice', 'claude Stop /s,1,2 /there {"session_id": "abc","more":1}'],
  ] as const)(
    'gets what it is told: %s; only at the end of a turn, and only for a while',
    async (how, got) => {
      const seen = await hook().doctored(how, async () => [call('Stop'), call('SessionStart')]);
      expect(seen).toEqual([got, 'claude SessionStart /s,1,2 /there {"session_id": "abc","more":1}']);
      expect(readFileSync(path, 'utf8')).toBe(HOOK);
    },
  );

  it('is timed, deleted, and made to call something else', async () => {
    const file = hook();
    await file.doctored('timed', async () => call('Stop'));
    expect(file.lastTook()).toBeGreaterThan(0);
    expect(await file.deleted(async () => existsSync(path))).toBe(false);
    expect(await file.calling('/elsewhere', async () => call('Stop'))).toContain(' /elsewhere ');
    expect(readFileSync(path, 'utf8')).toBe(HOOK);
    await expect(file.deleted(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(readFileSync(path, 'utf8')).toBe(HOOK);
    writeFileSync(path, '#!/bin/sh\n');
    expect(() => file.calling('/elsewhere', async () => call('Stop'))).toThrow('names no program');
  });
});
