import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GateContract } from '../../src/core/gate/contract.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { finishGate } from '../../src/engine/gate/end-gate.ts';
import { hookScript } from '../../src/hook/hook-script.ts';
import {
  CLEAN,
  GateRoom,
  PATIENCE_MS,
  type RoomAgent,
  type Stopped,
  stopsIn,
} from '../engine/gate/gate-room.ts';
import { ROLLCALL, rollcall } from '../support/command.ts';
import { OwnProcess } from '../support/own-process.ts';
import { hasPrivateMounts } from '../support/private-mounts.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

const program = ROLLCALL.split(' ');
const APPROVED = { exitCode: 0, stdout: '' };

let room: GateRoom;
let hands: Hands;
let owner: RoomAgent;
let contract: GateContract;

beforeEach(async () => {
  room = new GateRoom();
  hands = await room.hands();
  owner = await room.agent('owner');
  room.parts.store.setMode(null, 'enforce');
  writeFileSync(join(room.repository, 'new.txt'), 'new\n');
  contract = await room.start(hands, owner, { checks: [CLEAN] });
});
afterEach(() => room.leave());

const used = () => room.contract(contract.id).enforced.used;

/** On a machine with too much to do an agent is let go, which is what the gate is for; so one is tried until it is in time. */
function keptGoing(stop: () => Promise<Stopped>): Promise<Stopped> {
  return until('it is kept going', stop, ({ exitCode }) => exitCode === 10, PATIENCE_MS);
}

/** After whatever went wrong: nothing was counted, and the gate works. */
async function works(): Promise<void> {
  expect(used()).toBe(0);
  const { stdout } = await keptGoing(() => room.stop(owner, { program }));
  expect([JSON.parse(stdout).decision, used()]).toEqual(['block', 1]);
}

describe('the command that the hook calls', () => {
  test('S53: keeps the owner going, and leaves everybody else alone, whatever it is called with', async () => {
    const { env, gate } = room;
    const name = '0000000000000001.0000000001.1.0';
    const calls = [
      [],
      [gate],
      [gate, 'missing'],
      [gate, '../owners'],
      [gate, ''],
      ['relative/gate', name],
      ['/nowhere/rollcall/gate', name],
      [room.repository, name, 'run'],
      [gate, name, 'run'],
    ];
    const ends = await Promise.all(calls.map((words) => rollcall(['__stop', ...words], env)));
    expect(ends).toEqual(calls.map(() => ({ exitCode: 0, stdout: '', stderr: '' })));
    expect(existsSync('/nowhere')).toBe(false);
    await works();
  });

  test('S53: a broken config file, and another state folder in the environment, change nothing', async () => {
    const config = join(room.tmux.folder, 'config', 'rollcall');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'config.json'), '{ broken');
    const elsewhere = join(room.tmux.folder, 'elsewhere');
    const env = { XDG_CONFIG_HOME: join(room.tmux.folder, 'config'), XDG_STATE_HOME: elsewhere };
    await keptGoing(() => room.stop(owner, { program, env }));
    expect([used(), existsSync(elsewhere)]).toEqual([1, false]);
  });

  test('S53: an event that is half there, somebody else’s, a link or too much to read keeps nobody going', async () => {
    const stops = join(room.gate, 'stops');
    const ask = (name: string, before: string) =>
      room.stop(owner, { program: ['sh', '-c', `${before}; exec "$0" "$@"`, ...program], raw: name });
    const files = `'${stops}'/0*`;
    const ends = [
      await ask('{"hook_event_name":"Stop"', ':'),
      await ask('[]', ':'),
      await ask('', `for f in ${files}; do printf x >>"$f"; done`),
      await ask('{}', `for f in ${files}; do mv "$f" "$f".real; ln -s "$f".real "$f"; done`),
      await ask('{}', `for f in ${files}; do rm "$f"; mkfifo "$f"; done`),
      await ask(`{"hook_event_name":"Stop","x":"${'y'.repeat(2_000_000)}"}`, ':'),
    ];
    expect(ends).toEqual(ends.map(() => APPROVED));
    for (const name of readdirSync(stops)) await rename(join(stops, name), join(room.tmux.folder, name));
    await works();
  });
});

test('S53: through the hook itself: the owner goes on once, another agent of the checkout stops, and both are heard', async () => {
  const spool = join(room.state, 'rollcall', 'spool');
  mkdirSync(spool, { mode: 0o700 });
  const hook = join(room.tmux.folder, 'hook.sh');
  const [node = '', built = ''] = program;
  writeFileSync(
    hook,
    hookScript({
      ...{ spoolFolder: spool, gateFolder: room.gate, node, program: built },
      stopEvents: { claude: 'Stop' },
    }),
  );
  let count = 0;
  const stop = async (agent: RoomAgent) => {
    count += 1;
    const out = join(room.tmux.folder, `hooked-${count}`);
    const payload = JSON.stringify({
      ...{ hook_event_name: 'Stop', stop_hook_active: false, session_id: agent.conversation, count },
      ...{ cwd: '/home/dev/work', transcript_path: null },
    });
    room.hook(
      agent,
      `echo '${payload}' | sh '${hook}' claude Stop >'${out}.new' && mv '${out}.new' '${out}'`,
    );
    await until('the hook is done', () => existsSync(out));
    return readFileSync(out, 'utf8');
  };
  const other = await room.agent('other');
  // On a machine with too much to do it is let go, which is what the hook is for.
  const said = await until('it is kept going', () => stop(owner), Boolean, PATIENCE_MS);
  expect(JSON.parse(said)).toMatchObject({ decision: 'block' });
  const heard = readdirSync(spool).length;
  expect([used(), heard]).toEqual([1, count - 1]);
  expect([await stop(other), readdirSync(spool).length]).toEqual(['', heard + 1]);
  expect([await stop(owner), readdirSync(spool).length]).toEqual(['', heard + 2]);
  expect([used(), readdirSync(join(room.gate, 'stops'))]).toEqual([1, []]);
  await finishGate(hands, room.parts, contract, { isForced: true });
  expect(hands.ledger.read().entries.find(({ action }) => action === 'gate-passed')?.body.by).toEqual({
    claude: 1,
  });
});

describe('S53: whatever is wrong with what rollcall keeps, the agent stops and nothing is counted', () => {
  test('files that somebody replaced, damaged or linked', async () => {
    const { gate } = room;
    const aside = join(room.tmux.folder, 'aside');
    for (const name of ['contracts', `contracts/${contract.id}.json`, 'stops', '.']) {
      const path = join(gate, name);
      await rename(path, aside);
      symlinkSync(aside, path);
      expect([name, await room.stop(owner, { program })]).toEqual([name, APPROVED]);
      await rename(path, `${aside}.link.${name.length}`);
      await rename(aside, path);
    }
    const mode = join(gate, 'mode.json');
    for (const text of ['', '{"format":1,"user":"enforce"}', '{"format":2,"user":"enforce","projects":{}}']) {
      writeFileSync(mode, text);
      expect(await room.stop(owner, { program })).toEqual(APPROVED);
    }
    room.parts.store.setMode(null, 'enforce');
    // The switch is whatever has its name.
    symlinkSync('/nowhere', join(gate, 'off'));
    expect(await room.stop(owner, { program })).toEqual(APPROVED);
    room.parts.store.setSwitch(null);
    await works();
  });

  test('a clock that was set', async () => {
    const { store } = room.parts;
    const kept = room.contract(contract.id);
    const day = 86_400_000;
    // One that takes too long is let go without a word.
    const approvedAs = (reason: string) =>
      until(
        `it is let go: ${reason}`,
        async () => {
          expect(await room.stop(owner, { program })).toEqual(APPROVED);
          return stopsIn(hands).at(-1)?.reason;
        },
        (said) => said === reason,
        PATIENCE_MS,
      );
    store.save({ ...kept, startedAt: Date.now() + day, expiresAt: Date.now() + 2 * day });
    await approvedAs('failed');
    store.save({ ...kept, startedAt: 1, expiresAt: 2 });
    await approvedAs('expired');
    expect(room.contract(contract.id).phase).toBe('expired');
    store.save(kept);
    await works();
  });

  test('another who writes and does not come to an end', async () => {
    const held = await hands.writer.hold({ task: 'test', argv: [] }, 1000, async () => {
      const began = performance.now();
      expect(await room.stop(owner, { program })).toEqual(APPROVED);
      return performance.now() - began;
    });
    expect(held).toMatchObject({ state: 'done' });
    expect(stopsIn(hands)).toEqual([]);
    await works();
  });

  test('a ledger that is damaged', async () => {
    const folder = join(room.state, 'rollcall');
    hands.ledger.close();
    const names = readdirSync(folder).filter((name) => name.startsWith('ledger.db'));
    for (const name of names) await rename(join(folder, name), join(folder, `kept.${name}`));
    writeFileSync(join(folder, 'ledger.db'), 'x'.repeat(100_000));
    expect(await room.stop(owner, { program })).toEqual(APPROVED);
    for (const name of names) await rename(join(folder, `kept.${name}`), join(folder, name));
    await works();
  });

  test('a ledger that another process holds', async () => {
    const own = await OwnProcess.prepare([], '');
    const body = `const { DatabaseSync } = await import('@photostructure/sqlite');
      const database = new DatabaseSync(args[0]);
      database.exec('BEGIN EXCLUSIVE');
      process.stdout.write('held');
      setInterval(() => database.isOpen, 1000);`;
    const database = join(room.state, 'rollcall', 'ledger.db');
    const holder = own.startWith(['ignore', 'pipe', 'inherit'], body, database);
    try {
      await once(holder.stdout as NonNullable<ChildProcess['stdout']>, 'data');
      expect(await room.stop(owner, { program })).toEqual(APPROVED);
      expect(used()).toBe(0);
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'close');
      own.remove();
    }
    await works();
  });

  test.skipIf(!hasPrivateMounts)(
    'a disk that is full, or read-only',
    async () => {
      const folder = join(room.tmux.folder, 'small');
      mkdirSync(folder);
      const disk = await new SmallDisk(folder).ready();
      const gate = join(folder, 'rollcall', 'gate');
      // What the hook leaves is there before the disk is full.
      const ask = (fault: string) => {
        const script = `cp -a '${room.state}/rollcall' '${folder}/' && { ${fault}; } 2>/dev/null; shift 2; name=$1
        '${program.join("' '")}' __stop '${gate}' "$name"; status=$?
        mount -o remount,rw none '${folder}'; rm -f '${folder}/filler'
        cp '${gate}/contracts/${contract.id}.json' '${room.tmux.folder}/after'; rm -rf '${folder}/rollcall'; exit $status`;
        return room.stop(owner, { program: disk.inside('sh', '-c', script, 'sh') });
      };
      try {
        for (const fault of [`cat /dev/zero >'${folder}/filler'`, `mount -o remount,ro none '${folder}'`]) {
          expect([fault, await ask(fault)]).toEqual([fault, APPROVED]);
          const after = JSON.parse(readFileSync(join(room.tmux.folder, 'after'), 'utf8')) as GateContract;
          expect([after.id, after.enforced.used]).toEqual([contract.id, 0]);
        }
        // The same without a fault: it is the disk that lets the agent stop.
        await keptGoing(() => ask(':'));
      } finally {
        disk.remove();
      }
      await works();
    },
    60_000,
  );
});
