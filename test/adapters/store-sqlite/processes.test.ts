import { type ChildProcess, execFileSync, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OwnProcess } from '../../support/own-process.ts';
import { hasPrivateMounts, PRIVATE_MOUNTS } from '../../support/private-mounts.ts';
import { until } from '../../support/until.ts';
import { LedgerRoom } from './ledger-room.ts';
import { prepareLedger } from './own-process.ts';

const PIPED: StdioOptions = ['ignore', 'pipe', 'inherit'];
let own: OwnProcess;
let room: LedgerRoom;
beforeAll(async () => {
  own = await prepareLedger();
});
afterAll(() => own.remove());
beforeEach(() => {
  room = new LedgerRoom();
});
afterEach(() => room.remove());

function heard(child: ChildProcess): { text: string } {
  const said = { text: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said.text += chunk;
  });
  return said;
}

describe('several processes', () => {
  it('8 of them with 100 entries each make one unbroken chain, from nothing', async () => {
    const body = 'for (let index = 0; index < 100; index += 1) ledger.append(entry({ by: args[1], index }));';
    const writers = Array.from({ length: 8 }, (_, index) =>
      own.startWith(PIPED, body, room.folder, String(index)),
    );
    const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'close'))[0]));
    expect(codes).toEqual(Array(8).fill(0));
    const ledger = await room.ledger();
    const check = ledger.verify();
    const { entries } = ledger.read();
    expect(check).toMatchObject({ damage: null, head: { sequence: 800 }, anchor: { sequence: 800 } });
    for (let by = 0; by < 8; by += 1) {
      const own = entries.filter((entry) => entry.body.by === String(by));
      expect(own.map((entry) => entry.body.index)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    }
  });

  it.each(['append(entry({ by: "late" }))', 'verify()'])(
    'one that looks just before another begins the ledger: %s',
    (deed) => {
      // Between its look for an anchor and its look for databases both of them appear.
      const body = `const { syncBuiltinESMExports } = await import('node:module');
      const other = await openSqliteLedger({ folder: args[0], author, now: Date.now });
      const { readdirSync } = fs;
      fs.readdirSync = (...words) => {
        fs.readdirSync = readdirSync;
        syncBuiltinESMExports();
        other.append(entry({ by: 'first' }));
        return readdirSync(...words);
      };
      syncBuiltinESMExports();
      const said = ledger.${deed};
      if (said.damage) throw new Error(said.damage.text);
      console.log(JSON.stringify(ledger.read().entries.map(({ body }) => body.by)));`;
      const seen = own.run([], '', body, room.folder);
      expect(seen).toEqual(deed.startsWith('append') ? ['first', 'late'] : ['first']);
    },
  );

  it('S36: of which some are killed at any moment lose nothing that was acknowledged', async () => {
    const body = `for (let index = 0; ; index += 1) {
      const { sequence } = ledger.append(entry({ by: args[1], index }));
      fs.writeSync(1, sequence + '\\n');
    }`;
    const acknowledged = new Set<number>();
    for (let round = 0; round < 8; round += 1) {
      const writers = [0, 1].map((index) => own.startWith(PIPED, body, room.folder, `${round}-${index}`));
      const said = writers.map(heard);
      for (const [index, writer] of writers.entries()) {
        const enough = 1 + Math.floor(Math.random() * 12);
        await until(
          'it has recorded a few',
          () => said[index]?.text.split('\n').length ?? 0,
          (lines) => lines > enough,
        );
        // At any point of the next one.
        const stop = performance.now() + Math.random() * 4;
        while (performance.now() < stop);
        writer.kill('SIGKILL');
        await once(writer, 'close');
      }
      for (const { text } of said) {
        // A line that was cut by the kill was never read by anybody.
        for (const line of text.split('\n').slice(0, -1)) acknowledged.add(Number(line));
      }
      const check = (await room.ledger()).read();
      expect(check.damage).toBeNull();
      const stored = new Set(check.entries.map(({ sequence }) => sequence));
      expect([...acknowledged].filter((sequence) => !stored.has(sequence))).toEqual([]);
      // Each of the killed may have recorded one more than it could say.
      expect(stored.size - acknowledged.size).toBeLessThanOrEqual((round + 1) * 2);
    }
    expect(
      (await room.ledger()).append({ kind: 'note', action: 'test', session: null }).sequence,
    ).toBeGreaterThan(8);
  });

  it('one of which is killed in its transaction leave nothing of it, and no lock', async () => {
    await room.filled(2);
    const body = `const { DatabaseSync } = await import('@photostructure/sqlite');
      const database = new DatabaseSync(args[0] + '/ledger.db');
      database.exec("BEGIN IMMEDIATE; INSERT INTO entry SELECT 3, at, host, boot_id, actor_kind, actor_pid, actor_user, kind, action, session_key, session_name, cause, body, hash, 'x' FROM entry WHERE sequence = 2");
      fs.writeSync(1, 'inside');
      setInterval(() => {}, 1000);`;
    const writer = own.startWith(PIPED, body, room.folder);
    const said = heard(writer);
    await until('it is inside', () => said.text === 'inside');
    writer.kill('SIGKILL');
    await once(writer, 'close');
    const ledger = await room.ledger({ busyTimeoutMs: 100 });
    expect(ledger.verify()).toMatchObject({ damage: null, count: 2 });
    expect(ledger.append({ kind: 'note', action: 'test', session: null }).sequence).toBe(3);
  });

  it('that repair at the same time repair once', async () => {
    await room.filled(6);
    room = room.asFoundByAnother();
    room.tamper("UPDATE entry SET action = 'x' WHERE sequence = 4");
    const body = 'fs.writeSync(1, ledger.repair().state);';
    const repairers = Array.from({ length: 4 }, () => own.startWith(PIPED, body, room.folder));
    const said = repairers.map(heard);
    await Promise.all(repairers.map((one) => once(one, 'close')));
    expect(said.map(({ text }) => text).sort()).toEqual(['intact', 'intact', 'intact', 'repaired']);
    expect((await room.ledger()).verify()).toMatchObject({ damage: null, count: 4 });
  });

  it('that record while another repairs go on in the new database, all of them', async () => {
    await room.filled(4);
    room = room.asFoundByAnother();
    room.tamper("UPDATE entry SET action = 'x' WHERE sequence = 2");
    const body = `for (let index = 0; !fs.existsSync(args[0] + '/stop'); index += 1) {
      const { sequence, hash } = ledger.append(entry({ by: args[1], index }));
      fs.writeSync(1, sequence + ' ' + hash + '\\n');
    }`;
    const writers = [0, 1, 2].map((by) => own.startWith(PIPED, body, room.folder, String(by)));
    const ends = writers.map((writer) => once(writer, 'close'));
    const said = writers.map(heard);
    const counts = () => said.map(({ text }) => text.split('\n').length);
    await until('each has recorded', counts, (all) => Math.min(...all) > 3);
    const repair = own.startWith(PIPED, 'fs.writeSync(1, ledger.repair().state);', room.folder);
    await once(repair, 'close');
    const toldBefore = said.map(({ text }) => text.length);
    const before = counts();
    await until('each goes on', counts, (all) => all.every((count, at) => count > (before[at] ?? 0) + 4));
    writeFileSync(join(room.folder, 'stop'), '');
    expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0, 0]);
    const ledger = await room.ledger();
    expect(ledger.verify()).toMatchObject({ damage: null, path: join(room.folder, 'ledger.2.db') });
    const { entries } = ledger.read();
    expect(entries[1]).toMatchObject({ kind: 'note', action: 'repair' });
    // Whatever was acknowledged after the repair is in the one ledger that there is.
    const known = new Set(entries.map(({ sequence, hash }) => `${sequence} ${hash}`));
    const after = said.flatMap(({ text }, index) =>
      text.slice(toldBefore[index]).trim().split('\n').slice(1),
    );
    expect(after.length).toBeGreaterThan(3 * 3);
    expect(after.filter((line) => !known.has(line))).toEqual([]);
  });
});

describe('the disk', () => {
  const hasStrace = (() => {
    try {
      execFileSync('strace', ['-o', '/dev/null', 'true']);
      return true;
    } catch {
      return false;
    }
  })();

  it.skipIf(!hasStrace)('has an entry before append returns', () => {
    const body = `ledger.append(entry({}));
      fs.writeSync(1, 'BEFORE');
      ledger.append(entry({}));
      fs.writeSync(1, 'AFTER');`;
    const file = join(room.folder, 'trace');
    own.print(['strace', '-f', '-y', '-e', 'trace=fsync,fdatasync,write', '-o', file], '', body, room.folder);
    const trace = readFileSync(file, 'utf8');
    const between = trace.slice(trace.indexOf('"BEFORE"'), trace.indexOf('"AFTER"'));
    expect(between).toMatch(/f(?:data)?sync\(\d+<[^>]*ledger\.db-wal>\)/);
    expect(between).toMatch(/f(?:data)?sync\(\d+<[^>]*ledger\.head\.\d+\.[0-9a-f]+\.tmp>\)/);
  });

  it.skipIf(!hasPrivateMounts)(
    'S36: that is full takes no part of an entry, and all of it once there is room',
    () => {
      const body = `const folder = args[0];
      const codes = new Set();
      const texts = new Set();
      let stored = 0;
      const filler = () => {
        const file = fs.openSync(folder + '/filler', 'a');
        try { for (;;) fs.writeSync(file, Buffer.alloc(4096)); } catch {} finally { fs.closeSync(file); }
      };
      for (let index = 0; index < 5; index += 1) { ledger.append(entry({ index })); stored += 1; }
      filler();
      for (let index = 0; index < 50; index += 1) {
        try { ledger.append(entry({ text: 'x'.repeat(9000) })); stored += 1; } catch (error) { codes.add(error.code); texts.add(/ (no room is left|database or disk is full)/.test(error.message)); }
      }
      const full = ledger.verify();
      fs.rmSync(folder + '/filler');
      const { sequence } = ledger.append(entry({}));
      const after = ledger.verify();
      console.log(JSON.stringify({ codes: [...codes], texts: [...texts], stored, full: [full.damage, full.count], sequence, after: after.damage }));`;
      const printed = own.print(PRIVATE_MOUNTS, 'mount -t tmpfs -o size=512k none "$2"', body, room.folder);
      const seen = JSON.parse(printed) as { stored: number; sequence: number };
      expect(seen).toMatchObject({ codes: ['full'], texts: [true], full: [null, seen.stored], after: null });
      expect(seen.stored).toBeLessThan(50);
      expect(seen.sequence).toBe(seen.stored + 1);
    },
  );

  it.skipIf(!hasPrivateMounts)('S36: that is full from the beginning makes no half a ledger', () => {
    const body = `let code = null;
      try { ledger.append(entry({})); } catch (error) { code = error.code; }
      const { isEmpty, damage } = ledger.verify();
      fs.rmSync(args[0] + '/filler');
      console.log(JSON.stringify({ code, isEmpty, damage, sequence: ledger.append(entry({})).sequence, after: ledger.verify().damage }));`;
    const fill = 'mount -t tmpfs -o size=256k none "$2"; cat /dev/zero > "$2/filler" 2>/dev/null || true';
    const seen = JSON.parse(own.print(PRIVATE_MOUNTS, fill, body, room.folder));
    expect(seen).toEqual({ code: 'full', isEmpty: true, damage: null, sequence: 1, after: null });
  });

  it.skipIf(!hasPrivateMounts)('S36: that is read-only can be read, and takes nothing', async () => {
    await room.filled(3);
    room = room.asFoundByAnother();
    const body = `let code = null;
      try { ledger.append(entry({})); } catch (error) { code = error.code; }
      const { count, damage } = ledger.verify();
      console.log(JSON.stringify({ code, count, damage }));`;
    room.tamper('SELECT 1');
    const readOnly = 'mount --bind "$2" "$2"; mount -o remount,ro,bind "$2"';
    const seen = JSON.parse(own.print(PRIVATE_MOUNTS, readOnly, body, room.folder));
    expect(seen).toEqual({ code: 'read-only', count: 3, damage: null });
  });
});
