import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenStore } from '../../../../src/adapters/agents/opencode/database.ts';
import { DatabaseSync } from '../../../support/sqlite.ts';
import type { DatabaseFile } from './database-file.ts';
import { createDatabaseFile } from './database-file.ts';
import { FOLDER, NOW, removeFolder, STARTED_AT } from './scene.ts';

const files: DatabaseFile[] = [];

function made(tables?: string): DatabaseFile {
  const file = createDatabaseFile(tables);
  files.push(file);
  return file;
}

afterEach(() => {
  for (const { writer, folder } of files.splice(0)) {
    if (writer.isOpen) writer.close();
    removeFolder(folder);
  }
});

async function idsIn(path: string, now = NOW, reader = createOpenStore()): Promise<readonly string[]> {
  const opened = await reader(path, now);
  if (opened.state !== 'read') throw new Error(JSON.stringify(opened));
  return opened.store.inFolder(FOLDER).map(({ id }) => id);
}

// The flags of every descriptor that this process has on a file; the last digit is 2 for writing.
function descriptorsOf(path: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      if (readlinkSync(`/proc/self/fd/${name}`) !== path) return [];
      const info = readFileSync(`/proc/self/fdinfo/${name}`, 'utf8');
      return [/^flags:\s*(\d+)/m.exec(info)?.[1] ?? ''];
    } catch {
      return [];
    }
  });
}

describe("opencode's database", () => {
  it('is read while it is being written', async () => {
    const file = made();
    const reader = createOpenStore();
    file.session({ id: 'ses_1' });
    expect(await idsIn(file.path, NOW, reader)).toEqual(['ses_1']);
    file.session({ id: 'ses_2' });
    expect(await idsIn(file.path, NOW + 100, reader)).toEqual(['ses_1']);
    expect(await idsIn(file.path, NOW + 1000, reader)).toEqual(['ses_1', 'ses_2']);
  });

  it('is not written by a look', async () => {
    const file = made();
    file.session({ id: 'ses_1' });
    file.message('ses_1', { role: 'user', at: STARTED_AT });
    const digest = () =>
      [file.path, `${file.path}-wal`].map((path) =>
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      );
    const before = digest();
    const modified = statSync(file.path).mtimeMs;
    const opened = await createOpenStore()(file.path, NOW);
    expect(opened.state === 'read' && opened.store.lastMessage('ses_1')).toMatchObject({ role: 'user' });
    expect(digest()).toEqual(before);
    expect(statSync(file.path).mtimeMs).toBe(modified);
  });

  it.runIf(process.platform === 'linux')('is opened for reading only', async () => {
    const file = made();
    const reader = createOpenStore();
    const before = descriptorsOf(file.path);
    await idsIn(file.path, NOW, reader);
    const after = descriptorsOf(file.path);
    expect(after.filter((flags) => flags.endsWith('2'))).toEqual(before);
    expect(after).toHaveLength(before.length + 1);
  });

  it('is left alone when no process has it open', async () => {
    const file = made();
    file.writer.close();
    expect(await createOpenStore()(file.path, NOW)).toMatchObject({
      state: 'absent',
      text: 'no process has its database open',
    });
    expect(readdirSync(dirname(file.path))).toEqual(['opencode.db']);
  });

  it('S23: is opened anew when another file takes its place', async () => {
    const [first, second] = [made(), made()];
    const reader = createOpenStore();
    first.session({ id: 'ses_old' });
    second.session({ id: 'ses_new' });
    expect(await idsIn(first.path, NOW, reader)).toEqual(['ses_old']);
    for (const end of ['', '-wal', '-shm']) renameSync(`${second.path}${end}`, `${first.path}${end}`);
    expect(await idsIn(first.path, NOW + 10, reader)).toEqual(['ses_new']);
  });

  it('is absent when it is not there', async () => {
    expect(await createOpenStore()('/nonexistent/opencode.db', NOW)).toMatchObject({ state: 'absent' });
  });

  it('S36: held by a writer that locks everyone out is a failure', async () => {
    const file = made();
    file.session({ id: 'ses_1' });
    file.run('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;');
    for (const end of ['-wal', '-shm']) writeFileSync(`${file.path}${end}`, '');
    expect(await createOpenStore()(file.path, NOW)).toMatchObject({ state: 'failed' });
  });

  it('S36: damaged is a failure', async () => {
    const file = made();
    const path = join(file.folder, 'damaged.db');
    for (const end of ['', '-wal', '-shm'])
      writeFileSync(`${path}${end}`, 'SQLite format 3\0 and then nothing of it');
    expect(await createOpenStore()(path, NOW)).toMatchObject({ state: 'failed' });
  });

  it('S57: a folder or a pipe in its place is a failure', async () => {
    const file = made();
    mkdirSync(join(file.folder, 'folder.db'));
    expect(await createOpenStore()(join(file.folder, 'folder.db'), NOW)).toMatchObject({
      state: 'failed',
    });
  });

  it.each([
    ['without the tables', 'CREATE TABLE something (id text)'],
    [
      'with other columns',
      'CREATE TABLE session (id text); CREATE TABLE message (id text); CREATE TABLE part (id text)',
    ],
  ])('S57: %s is a failure', async (_, tables) => {
    expect(await createOpenStore()(made(tables).path, NOW)).toMatchObject({ state: 'failed' });
  });

  it('S57: text where a number belongs is a failure', async () => {
    const file = made();
    file.run(
      `INSERT INTO session VALUES ('s', 'p', NULL, NULL, 'x', '${FOLDER}', NULL, 't', 'v', NULL, NULL, 'soon', 1, NULL, NULL)`,
    );
    expect(await createOpenStore()(file.path, NOW)).toMatchObject({ state: 'failed' });
  });

  it('S57: more sessions than a look can take are a failure', async () => {
    const file = made();
    file.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)
      INSERT INTO session SELECT 's' || i, 'p', NULL, NULL, 'x', '${FOLDER}', NULL, 't', 'v', NULL, NULL, 1, 1, NULL, NULL FROM n`);
    expect(await createOpenStore()(file.path, NOW)).toMatchObject({ state: 'failed' });
  });

  it('S57: a message that is not JSON throws, and says so', async () => {
    const file = made();
    file.session({ id: 'ses_1' });
    file.run(`INSERT INTO message VALUES ('m', 'ses_1', ${STARTED_AT}, ${STARTED_AT}, '{"role":')`);
    const opened = await createOpenStore()(file.path, NOW);
    expect(() => opened.state === 'read' && opened.store.lastMessage('ses_1')).toThrow();
  });

  it('reads a copy that opencode itself could have left', async () => {
    const file = made();
    file.session({ id: 'ses_1' });
    file.run('PRAGMA wal_checkpoint(TRUNCATE)');
    const copy = join(file.folder, 'copy.db');
    copyFileSync(file.path, copy);
    const other = new DatabaseSync(copy);
    other.exec("UPDATE session SET title = 'Other'");
    expect(await idsIn(copy)).toEqual(['ses_1']);
    other.close();
  });
});
