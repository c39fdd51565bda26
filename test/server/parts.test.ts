import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationName, restOf } from '../../src/contract/operations.ts';
import { readFields } from '../../src/schema/read.ts';
import { tokenBucket } from '../../src/server/http/rate.ts';
import type { Reply } from '../../src/server/http/reply.ts';
import { createIdempotency } from '../../src/server/idempotency.ts';
import { counter, exposition, histogram } from '../../src/server/metrics/registry.ts';
import { listenOnSocket } from '../../src/server/socket-file.ts';
import { openToken } from '../../src/server/token.ts';

const uid = process.getuid?.() ?? 0;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'server-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a body', () => {
  const value = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.integer({ min: -5, max: 5000 }),
    fc.boolean(),
    fc.constantFrom('done', 'fail', 'held', null),
    fc.array(fc.constantFrom('held', 'attached', '', 'x', 3), { maxLength: 7 }),
  );

  it('is read as its schema says, and the first mistake in it is named', () => {
    for (const action of Object.keys(OPERATIONS) as OperationName[]) {
      const schema = restOf(action);
      const names = [...Object.keys(schema.entries), 'other'];
      fc.assert(
        fc.property(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }), (body) => {
          const isValid = v.safeParse(schema, body).success;
          const read = readFields(schema, body);
          expect([action, body, read.state]).toEqual([action, body, isValid ? 'read' : 'refused']);
        }),
        { numRuns: 200 },
      );
    }
  });

  it.each([
    ['hold', { reason: '' }, 'reason has to be a text of 1 to 1000 characters'],
    ['hold', [], 'the body has to be an object'],
    ['hold', { toString: 1 }, 'there is no field toString here'],
    ['close', { timeoutMs: 1.5 }, 'timeoutMs has to be a whole number from 1000 to 3600000'],
    ['close', { force: 'yes' }, 'force has to be true or false'],
    ['complete', { outcome: 'good' }, 'outcome has to be one of done, failed'],
    [
      'complete',
      { evidence: ['', 'x'] },
      'evidence has to be a list of at most 20 texts of 1 to 1000 characters',
    ],
  ] as const)('of %s with %j is refused: %s', (action, body, text) => {
    expect(readFields(restOf(action), body)).toMatchObject({ state: 'refused', text });
  });

  it('that takes nothing says so', () => {
    expect(readFields(v.strictObject({}), { reason: 'x' })).toMatchObject({ hint: 'it takes no fields' });
  });
});

describe('the token', () => {
  it('is made anew at every start, for its owner alone, and compared as a whole', () => {
    const earlier = openToken(folder, uid);
    const old = readFileSync(earlier.file, 'utf8').trim();
    const made = openToken(folder, uid);
    const text = readFileSync(made.file, 'utf8').trim();
    expect(text).toMatch(/^[\w-]{43}$/);
    expect(statSync(made.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['token']);
    expect([made.is(text), made.is(text.slice(1)), made.is(`${text}x`), made.is('')]).toEqual([
      ...[true, false, false, false],
    ]);
    expect([made.is(old), earlier.is(text)]).toEqual([false, false]);
    expect([made.isIn(`a=${text}&`), made.isIn('a=b')]).toEqual([true, false]);
  });

  it.each([
    ['a symbolic link', (file: string) => symlinkSync('/etc/passwd', file), 'symbolic link'],
    ['a dangling link', (file: string) => symlinkSync('/nowhere/at/all', file), 'symbolic link'],
    ['a folder', (file: string) => mkdirSync(file, { mode: 0o700 }), 'not a file'],
    ['open to others', (file: string) => writeFileSync(file, 'x', { mode: 0o644 }), 'other users'],
    ['empty', (file: string) => writeFileSync(file, '', { mode: 0o600 }), 'no token'],
    ['too short', (file: string) => writeFileSync(file, 'abc\n', { mode: 0o600 }), 'no token'],
    ['too long', (file: string) => writeFileSync(file, 'a'.repeat(90), { mode: 0o600 }), 'no token'],
  ])('S55: is refused where its file is %s', (_, make, text) => {
    make(join(folder, 'token'));
    expect(() => openToken(folder, uid)).toThrow(text);
  });

  it('S55: is refused where its file is somebody else’s', () => {
    openToken(folder, uid);
    expect(() => openToken(folder, uid + 1)).toThrow('belongs to user');
  });
});

describe('the socket', () => {
  const open = async () => {
    const server = createServer();
    const socket = await listenOnSocket(server, folder, uid);
    return { ...socket, server };
  };

  it('is its owner’s alone, replaces one that nobody listens on, and goes with its server only', async () => {
    const first = await open();
    expect(statSync(first.path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['rollcall.sock']);
    await expect(open()).rejects.toThrow('somebody listens');
    await new Promise((resolve) => first.server.close(resolve));
    // As a daemon that was killed leaves it: the name is there, and nobody behind it.
    expect(readdirSync(folder)).toEqual(['rollcall.sock']);
    const second = await open();
    first.remove();
    expect(readdirSync(folder)).toEqual(['rollcall.sock']);
    second.server.close();
    second.remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['a file', (path: string) => writeFileSync(path, 'mine')],
    ['a link to a file', (path: string) => symlinkSync('/etc/passwd', path)],
    ['a link to nothing', (path: string) => symlinkSync('/nowhere/at/all', path)],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('S55: is refused where %s has its name, which stays as it is', async (_, make) => {
    make(join(folder, 'rollcall.sock'));
    await expect(open()).rejects.toThrow('is not a socket');
    expect(readdirSync(folder)).toEqual(['rollcall.sock']);
  });

  it('S55: is refused in a folder that is a link, open to others or somebody else’s', async () => {
    const server = createServer();
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    await expect(listenOnSocket(server, link, uid)).rejects.toThrow('symbolic link');
    rmSync(link);
    await expect(listenOnSocket(server, folder, uid + 1)).rejects.toThrow('belongs to user');
    chmodSync(folder, 0o750);
    await expect(listenOnSocket(server, folder, uid)).rejects.toThrow('other users');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('S55: is refused where a socket of another program answers', async () => {
    const other = createNetServer();
    await new Promise<void>((resolve) => other.listen(join(folder, 'rollcall.sock'), resolve));
    await expect(open()).rejects.toThrow('somebody listens');
    other.close();
  });

  it('says that a path is too long instead of cutting it', async () => {
    const deep = join(folder, 'x'.repeat(90));
    mkdirSync(deep, { mode: 0o700 });
    await expect(listenOnSocket(createServer(), deep, uid)).rejects.toThrow('too long');
  });
});

describe('rates and keys', () => {
  it('lets a burst through, and then so many a second', () => {
    let now = 0;
    const bucket = tokenBucket({ perSecond: 10, burst: 3 }, () => now);
    const taken = (times: number) => Array.from({ length: times }, () => bucket.take());
    expect(taken(4)).toEqual([true, true, true, false]);
    now = 100;
    expect(taken(2)).toEqual([true, false]);
    now = 60_000;
    expect(taken(4)).toEqual([true, true, true, false]);
  });

  it('forgets answers after their time, the oldest where there are too many, and none under way', async () => {
    let now = 0;
    let done = 0;
    const limits = { idempotencyKeys: 3, idempotencyBytes: 1000, idempotencyMs: 100 };
    const keys = createIdempotency(limits, () => now);
    const reply =
      (size: number, status = 200) =>
      async (): Promise<Reply> => {
        done += 1;
        return { status, type: 'text/plain', body: Buffer.alloc(size) };
      };
    await keys.once('a', 'x', reply(10));
    await keys.once('a', 'x', reply(10));
    expect(done).toBe(1);
    await expect(keys.once('a', 'y', reply(10))).rejects.toThrow('another request');
    now = 101;
    await keys.once('a', 'y', reply(10));
    expect(done).toBe(2);
    await keys.once('b', 'x', reply(2000));
    await keys.once('c', 'x', reply(10));
    await keys.once('a', 'y', reply(10));
    expect(done).toBe(5);
    await keys.once('busy', 'x', reply(10, 503));
    await keys.once('busy', 'x', reply(10));
    expect(done).toBe(7);
    await keys.once('bad', 'x', () => Promise.reject(new Error('no'))).catch(() => {});
    await keys.once('bad', 'x', reply(10));
    expect(done).toBe(8);
  });

  it('keeps a measure to so many series, whatever its labels hold', () => {
    const many = counter('many', 'x');
    for (let number = 0; number < 5000; number += 1) many.add({ code: `c${number}` });
    const lines = exposition([many]).split('\n');
    expect(lines.length).toBeLessThan(210);
    expect(lines).toContain('many{code="other"} 4800');
  });

  it('writes what labels hold so that it cannot be taken for something else', () => {
    const odd = counter('odd', 'back\\slash\nline');
    odd.add({ a: 'q"\n\\' });
    expect(exposition([odd])).toBe(
      '# HELP odd back\\\\slash\\nline\n# TYPE odd counter\nodd{a="q\\"\\n\\\\"} 1\n',
    );
    const times = histogram('times', 'x', [1, 2]);
    times.observe(1.5);
    expect(exposition([times]).split('\n').slice(2, -1)).toEqual([
      ...['times_bucket{le="1"} 0', 'times_bucket{le="2"} 1', 'times_bucket{le="+Inf"} 1'],
      ...['times_sum 1.5', 'times_count 1'],
    ]);
  });
});
