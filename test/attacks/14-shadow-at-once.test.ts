import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GateCheck } from '../../src/core/gate/check.ts';
import { type GateContract, NOTHING_USED } from '../../src/core/gate/contract.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { hookScript } from '../../src/hook/hook-script.ts';
import { CLEAN, GateRoom, type RoomAgent, stopsIn } from '../engine/gate/gate-room.ts';
import { TRUE_PAYLOADS } from '../hook/odd-payloads.ts';
import { STOP_EVENTS } from '../hook/plain-script.ts';
import { ROLLCALL } from '../support/command.ts';
import { until } from '../support/until.ts';

let room: GateRoom;
let hands: Hands;
let owner: RoomAgent;
let hook: string;
let count = 0;

const file = (name: string) => join(room.tmux.folder, name);
/** A file is there, and empty, a moment before its first line is in it. */
const lines = (name: string) =>
  existsSync(file(name)) ? readFileSync(file(name), 'utf8').split('\n').filter(Boolean) : [];

/** Says that it began, and ends only when it is told to. */
function slow(): GateCheck {
  const script = `echo $$ >>'${file('began')}'
    until [ -e '${file('go')}' ]; do sleep 0.02; done
    echo $$ >>'${file('over')}'; exit 1`;
  return { kind: 'command', argv: ['sh', '-c', script], cwd: null, timeoutMs: 200_000 };
}

beforeEach(async () => {
  room = new GateRoom();
  hands = await room.hands();
  owner = await room.agent('owner');
  const spoolFolder = join(room.state, 'rollcall', 'spool');
  hook = file('share/rollcall/hook.sh');
  for (const folder of [spoolFolder, dirname(hook)]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [node = '', program = ''] = ROLLCALL.split(' ');
  const parts = { spoolFolder, gateFolder: room.gate, stopEvents: STOP_EVENTS, node, program };
  // How long a quick answer may take is not tried here, and the machine may have a lot to do.
  writeFileSync(hook, hookScript(parts).replace('ask 1.7', 'ask 30'), { mode: 0o755 });
});
afterEach(async () => {
  writeFileSync(file('go'), '');
  await room.leave();
});

/** The agent stops. As real ones do, it waits until nobody has the other end of its pipe open. */
async function stop(): Promise<string> {
  count += 1;
  const base = file(`stop-${count}`);
  const payload = { ...TRUE_PAYLOADS.claude, session_id: owner.conversation, prompt_id: count };
  writeFileSync(base, JSON.stringify(payload));
  room.hook(
    owner,
    `export PATH='${file('slow')}':"$PATH"; '${hook}' claude Stop <'${base}' 2>&1 | cat >'${base}.new'; mv '${base}.new' '${base}.out'`,
  );
  await until('the agent has stopped', () => existsSync(`${base}.out`));
  return readFileSync(`${base}.out`, 'utf8');
}

const started = () =>
  until(
    'the check has begun',
    () => lines('began').length,
    (some) => some > 0,
  );
const recorded = (amount: number) =>
  until(
    'the stops are recorded',
    () => stopsIn(hands),
    (stops) => stops.length >= amount,
  );
const isQuiet = () =>
  until(
    'nobody is left',
    () => readdirSync(join(room.gate, 'later')),
    (left) => left.length === 0,
  );

describe('an agent that nothing could keep going', () => {
  test('in shadow stops at once; its check runs afterwards, and is recorded as ever', async () => {
    const { id } = await room.start(hands, owner, { checks: [slow()] });
    const asked = performance.now();
    expect(await stop()).toBe('');
    const cost = performance.now() - asked;
    await started();
    expect([stopsIn(hands), lines('over')]).toEqual([[], []]);
    await until('the check takes far longer', () => performance.now() - asked > 2 * cost + 100);
    writeFileSync(file('go'), '');
    const [told] = await recorded(1);
    expect(told).toMatchObject({ gate: id, verdict: 'would-block', reason: 'checks-unmet', mode: 'shadow' });
    expect(told?.results).toEqual([expect.objectContaining({ state: 'unmet' })]);
    // What it has cost the agent, not how long the check took.
    expect(told?.latencyMs).toBeLessThan(cost + 50);
    await isQuiet();
    expect(room.contract(id)).toMatchObject({ enforced: { used: 0 }, shadowed: { used: 1 } });
  });

  test('stops before anybody asks git or looks at a file', async () => {
    // Says who asks, and waits as a git in a huge repository does.
    const git = `#!/bin/sh
      tr '\\0' ' ' </proc/$PPID/cmdline >>'${file('asked')}'; echo >>'${file('asked')}'
      until [ -e '${file('go')}' ]; do sleep 0.02; done
      PATH='${process.env.PATH}' exec git "$@"`;
    mkdirSync(file('slow'));
    writeFileSync(file('slow/git'), git, { mode: 0o755 });
    const path = file('missing');
    await room.start(hands, owner, { checks: [CLEAN, { kind: 'pushed' }, { kind: 'file', path }] });
    expect(await stop()).toBe('');
    const asked = () => lines('asked').filter((line) => line.trim() !== '');
    await until('git is asked', asked, ({ length }) => length > 0);
    writeFileSync(file('go'), '');
    expect((await recorded(1))[0]).toMatchObject({ verdict: 'would-block', mode: 'shadow' });
    expect(asked().filter((line) => !line.trim().endsWith(' later'))).toEqual([]);
    await isQuiet();
  });

  test('with its budget spent stops at once too', async () => {
    room.parts.store.setMode(null, 'enforce');
    const { id } = await room.start(hands, owner, { checks: [slow()] });
    const spent: GateContract['enforced'] = { ...NOTHING_USED, used: 3 };
    room.parts.store.save({ ...room.contract(id), enforced: spent });
    expect(await stop()).toBe('');
    await started();
    expect(stopsIn(hands)).toEqual([]);
    writeFileSync(file('go'), '');
    expect((await recorded(1))[0]).toMatchObject({ verdict: 'approved', reason: 'budget-spent' });
    await isQuiet();
    expect(room.contract(id)).toMatchObject({ enforced: { used: 3 }, stale: { code: 'budget-spent' } });
  });

  test('has one check at a time, however often it stops, and every stop is recorded', async () => {
    await room.start(hands, owner, { checks: [slow()] });
    for (let stops = 0; stops < 4; stops += 1) expect(await stop()).toBe('');
    await started();
    expect(lines('began')).toHaveLength(1);
    writeFileSync(file('go'), '');
    const verdicts = (await recorded(4)).map(({ verdict, reason }) => `${verdict} ${reason}`);
    expect(verdicts).toEqual(['would-block checks-unmet', ...Array(3).fill('approved same-evidence')]);
    await isQuiet();
    // The tree has not changed, so what was found holds for the others.
    expect(lines('over')).toHaveLength(1);
  });

  test('loses at most the record where whoever checks is killed; the next stop takes up the rest', async () => {
    await room.start(hands, owner, { checks: [slow()] });
    await stop();
    await started();
    await stop();
    const runner = parentOf(Number(lines('began')[0]));
    process.kill(runner, 'SIGKILL');
    await until(
      'it is gone',
      () => existsSync(`/proc/${runner}`),
      (isThere) => !isThere,
    );
    writeFileSync(file('go'), '');
    await stop();
    expect(await recorded(2)).toHaveLength(2);
    await isQuiet();
  });

  test('whose check could keep it going is still asked to wait', async () => {
    room.parts.store.setMode(null, 'enforce');
    writeFileSync(file('go'), '');
    await room.start(hands, owner, { checks: [slow()] });
    expect(JSON.parse(await stop())).toMatchObject({ decision: 'block' });
    expect(stopsIn(hands)).toMatchObject([{ verdict: 'blocked' }]);
  });
});

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
