import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOwnStatus, statusSign } from '../../../../src/adapters/agents/claude/status.ts';
import { agentIn, CONVERSATION, fixture, NOW } from './fixtures.ts';

let folder: string;
const agent = agentIn('/none');
const recorded = JSON.parse(fixture('status.json'));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-claude-'));
  mkdirSync(join(folder, 'sessions'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, 'sessions', `${agent.pid}.json`);
const write = (change: object) => writeFileSync(path(), JSON.stringify({ ...recorded, ...change }));

async function signOf(change: object) {
  write(change);
  const own = await readOwnStatus(folder, agent);
  if (own.state !== 'read') throw new Error(own.text);
  return statusSign(own, NOW);
}

describe('the status that Claude Code writes of itself', () => {
  it('is read with its version, conversation and folder', async () => {
    write({});
    expect(await readOwnStatus(folder, agent)).toEqual({
      state: 'read',
      status: 'idle',
      since: recorded.statusUpdatedAt,
      conversation: CONVERSATION,
      version: '2.1.325',
      cwd: '/home/dev/repos/work',
      isUntouched: true,
    });
  });

  it.each([
    [{ status: 'busy' }, { turn: 'running', waitingFor: null }],
    [{ status: 'idle' }, { turn: 'over', waitingFor: null }],
    [{ status: 'shell' }, { turn: 'over', background: 1 }],
    [{ status: 'waiting', waitingFor: 'permission prompt' }, { waitingFor: 'permission' }],
    [{ status: 'waiting', waitingFor: 'input needed' }, { waitingFor: 'question' }],
    [{ status: 'waiting', waitingFor: 'dialog open' }, { waitingFor: 'input' }],
    [{ status: 'waiting', waitingFor: 'sandbox request' }, { waitingFor: 'permission' }],
    [{ status: 'waiting', waitingFor: 'worker request' }, { waitingFor: 'permission' }],
    [{ status: 'waiting', waitingFor: 'goal proposal' }, { waitingFor: 'question' }],
    [{ status: 'waiting', waitingFor: 'constructor' }, { waitingFor: 'input' }],
    [{ status: 'waiting' }, { waitingFor: 'input' }],
  ])('S15: %j tells %j and no more', async (change, facts) => {
    expect(await signOf(change)).toEqual({
      source: 'agent',
      observedAt: NOW,
      isLive: true,
      since: recorded.statusUpdatedAt,
      isVerified: true,
      text: expect.any(String),
      ...facts,
    });
  });

  it('S12: rest says nothing of the background: timers do not show in it', async () => {
    expect(await signOf({ status: 'idle' })).not.toHaveProperty('background');
  });

  it.each(['sleeping', '', 'IDLE', 'constructor'])(
    'a status that is not known (%j) is no sign',
    async (status) => {
      expect(await signOf({ status })).toEqual({ failure: expect.stringContaining('not understood') });
    },
  );

  it('a version that was never tried is marked', async () => {
    expect(await signOf({ version: '2.2.0' })).toMatchObject({ isVerified: false });
  });

  it('S26: a status from the future has no beginning', async () => {
    expect(await signOf({ statusUpdatedAt: NOW + 1 })).not.toHaveProperty('since');
  });
});

describe('a status file that is not believed', () => {
  it('S6: one that a killed process left behind', async () => {
    write({ procStart: '1' });
    expect(await readOwnStatus(folder, agent)).toMatchObject({ state: 'absent' });
    write({ pid: 1 });
    expect(await readOwnStatus(folder, agent)).toMatchObject({ state: 'absent' });
  });

  it('none at all', async () => {
    expect(await readOwnStatus(folder, agent)).toMatchObject({ state: 'absent' });
  });

  it('one of a background session', async () => {
    write({ kind: 'bg' });
    expect(await readOwnStatus(folder, agent)).toMatchObject({ state: 'failed' });
  });

  it.each(['', '{"pid":316', '[', 'null', '"idle"'])('S57: half a file (%j)', async (text) => {
    writeFileSync(path(), text);
    expect(await readOwnStatus(folder, agent)).toMatchObject({ state: 'failed' });
  });

  it('S57: a file of ten megabytes', async () => {
    writeFileSync(path(), JSON.stringify({ ...recorded, name: 'x'.repeat(10_000_000) }));
    expect(await readOwnStatus(folder, agent)).toMatchObject({ state: 'failed' });
  });

  it('a folder in its place', async () => {
    mkdirSync(path());
    expect(await readOwnStatus(folder, agent)).toMatchObject({ state: 'failed' });
  });

  it('half a file that is whole a moment later is read', async () => {
    writeFileSync(path(), '{"pid":');
    const reading = readOwnStatus(folder, agent);
    write({ status: 'busy' });
    expect(await reading).toMatchObject({ state: 'read', status: 'busy' });
  });
});
