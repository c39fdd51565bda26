import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GateContract } from '../../src/core/gate/contract.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { hookScript } from '../../src/hook/hook-script.ts';
import { CLEAN, GateRoom, PATIENCE_MS, type RoomAgent, stopsIn } from '../engine/gate/gate-room.ts';
import { TRUE_PAYLOADS } from '../hook/odd-payloads.ts';
import { STOP_EVENTS } from '../hook/plain-script.ts';
import { ROLLCALL } from '../support/command.ts';
import { until } from '../support/until.ts';

let room: GateRoom;
let hands: Hands;
let owner: RoomAgent;
let contract: GateContract;
let hook: string;

beforeEach(async () => {
  room = new GateRoom();
  hands = await room.hands();
  owner = await room.agent('owner');
  room.parts.store.setMode(null, 'enforce');
  writeFileSync(join(room.repository, 'new.txt'), 'new\n');
  contract = await room.start(hands, owner, { checks: [CLEAN] });
  const spoolFolder = join(room.state, 'rollcall', 'spool');
  hook = join(room.tmux.folder, 'share', 'rollcall', 'hook.sh');
  for (const folder of [spoolFolder, dirname(hook)]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [node = '', program = ''] = ROLLCALL.split(' ');
  const parts = { spoolFolder, gateFolder: room.gate, stopEvents: STOP_EVENTS, node, program };
  // How long a quick answer may take is not tried here, and the machine may have a lot to do.
  writeFileSync(hook, hookScript(parts).replace('ask 1.7', 'ask 30'), { mode: 0o755 });
});
afterEach(() => room.leave());

let count = 0;

/** The very payload of the agent, and where the answer goes. */
function prepared(): { readonly call: string; readonly base: string } {
  count += 1;
  const base = join(room.tmux.folder, `stop-${count}`);
  const payload = { ...TRUE_PAYLOADS.claude, session_id: owner.conversation, prompt_id: count };
  writeFileSync(base, JSON.stringify(payload));
  return { call: `'${hook}' claude Stop`, base };
}

async function answer(base: string): Promise<string> {
  await until('the hook has ended', () => existsSync(`${base}.exit`));
  expect(readFileSync(`${base}.exit`, 'utf8')).toBe('0\n');
  return readFileSync(`${base}.out`, 'utf8');
}

const told = (base: string) => `>'${base}.out'; echo $? >'${base}.new'; mv '${base}.new' '${base}.exit'`;
const used = () => room.contract(contract.id).enforced.used;

/** What a tool of the agent can do: each of these runs below the agent, with its environment and its true payload. */
const BY_HAND: readonly (readonly [string, (call: string, base: string) => string])[] = [
  ['a script', (call, base) => `${call} <'${base}' ${told(base)}`],
  ['a pipe', (call, base) => `cat '${base}' | ${call} ${told(base)}`],
  [
    'a shell with the command as the agent gives it',
    (call, base) => `cat '${base}' | sh -c "${call}" ${told(base)}`,
  ],
  ['a session of its own', (call, base) => `cat '${base}' | setsid -w ${call} ${told(base)}`],
];

test('a script below the owner that calls the hook spends nothing, and is let through', async () => {
  for (const [, script] of BY_HAND) {
    const { call, base } = prepared();
    room.tell(owner, script(call, base));
    expect(await answer(base)).toBe('');
  }
  expect(used()).toBe(0);
  expect(stopsIn(hands).map(({ reason }) => reason)).toEqual(BY_HAND.map(() => 'not-its-hook'));
  // The agent's own hook counts as ever; without time for it, it is asked again.
  const tried = () => {
    const { call, base } = prepared();
    room.hook(owner, `${call} <'${base}' ${told(base)}`);
    return answer(base);
  };
  const said = await until('it is kept going', tried, Boolean, PATIENCE_MS);
  expect(JSON.parse(said)).toMatchObject({ decision: 'block' });
  expect(used()).toBe(1);
});
