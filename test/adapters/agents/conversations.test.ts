import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONVERSATIONS } from '../../../src/adapters/agents/claude/conversations.ts';
import { conversations as codex } from '../../../src/adapters/agents/codex/conversations.ts';
import { GEMINI_CONVERSATIONS } from '../../../src/adapters/agents/gemini/conversations.ts';
import { conversations as opencode } from '../../../src/adapters/agents/opencode/conversations.ts';
import { loadSqlite } from '../../../src/adapters/native/load-sqlite.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const DAY = 86_400_000;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'talk-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const clues = (over: object = {}) => ({
  ...{ kind: 'any', conversation: ID, transcript: null, env: { HOME: home }, cwd: null },
  ...over,
});

function write(path: string, ...records: readonly (object | string)[]): string {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true });
  const lines = records.map((one) => (typeof one === 'string' ? one : `${JSON.stringify(one)}\n`));
  writeFileSync(whole, lines.join(''));
  return whole;
}

describe('Claude Code', () => {
  const SAID = { type: 'user', sessionId: ID };
  const path = `.claude/projects/p/${ID}.jsonl`;

  it('is resumed from a transcript with a turn; the folder beside it belongs to it', async () => {
    const transcript = write(path, { type: 'mode', sessionId: ID }, SAID);
    const side = write(`.claude/projects/p/${ID}/tool-results/1.txt`, 'large');
    symlinkSync('/etc/passwd', join(dirname(side), 'link'));
    const sight = await CONVERSATIONS.read(clues());
    expect(sight).toMatchObject({ lacks: null, files: [transcript, side] });
    expect(sight.deletedAt).toBeCloseTo(statSync(transcript).mtimeMs + 30 * DAY, -1);
    const elsewhere = clues({ env: { HOME: '/nowhere', CLAUDE_CONFIG_DIR: join(home, '.claude/') } });
    expect([CONVERSATIONS.folder(elsewhere), (await CONVERSATIONS.read(elsewhere)).lacks]).toEqual([
      join(home, '.claude'),
      null,
    ]);
  });

  it.each([
    ['is empty', [], /is empty$/],
    ['has half a record at its end', [SAID, '{"type":"assi'], /^the last record of .* is cut off$/],
    ['has a record that is none', ['x\n', SAID], /has a record that cannot be read$/],
    ['is another conversation’s', [{ ...SAID, sessionId: 'other' }], /is not of this conversation$/],
    ['has no turn', [{ type: 'mode', sessionId: ID }], /^nothing was said in/],
  ])('says so where the transcript %s', async (_, records, lacks) => {
    write(path, ...records);
    expect((await CONVERSATIONS.read(clues())).lacks).toMatch(lacks);
  });

  it('is read at both ends where the transcript is long', async () => {
    const filler = { type: 'mode', sessionId: ID, text: 'x'.repeat(100_000) };
    const long = Array.from({ length: 30 }, () => filler);
    write(path, ...long, SAID);
    expect((await CONVERSATIONS.read(clues())).lacks).toBeNull();
    write(path, SAID, ...long, '{"ty');
    expect((await CONVERSATIONS.read(clues())).lacks).toMatch(/is cut off$/);
  });

  it('is kept as long as its settings say, the shortest of them', async () => {
    const transcript = write(path, SAID);
    write('.claude/settings.json', { cleanupPeriodDays: 90 });
    write('work/.claude/settings.local.json', { cleanupPeriodDays: 7 });
    write('work/.claude/settings.json', 'no JSON');
    const sight = await CONVERSATIONS.read(clues({ cwd: join(home, 'work') }));
    expect(sight.deletedAt).toBeCloseTo(statSync(transcript).mtimeMs + 7 * DAY, -1);
  });

  it('has nothing where no transcript is, or nobody knows where', async () => {
    expect((await CONVERSATIONS.read(clues())).lacks).toBe(`it has no transcript below ${home}/.claude`);
    expect(await CONVERSATIONS.read(clues({ env: {} }))).toMatchObject({
      lacks: 'it has no transcript',
      files: [],
    });
  });
});

describe('Codex', () => {
  const META = { type: 'session_meta', payload: { id: ID } };
  const path = `.codex/sessions/2026/11/17/rollout-2026-11-17T00-00-00-${ID}.jsonl`;

  it('is resumed from its rollout, wherever that lies below its home', async () => {
    const rollout = write(path, META, { type: 'event_msg', payload: { type: 'task_started' } });
    const whole = { lacks: null, files: [rollout], deletedAt: null };
    expect(await codex.read(clues())).toEqual(whole);
    expect(await codex.read(clues({ transcript: rollout }))).toEqual(whole);
    expect(await codex.read(clues({ transcript: `${rollout}.away` }))).toEqual(whole);
  });

  it('says what is missing', async () => {
    expect((await codex.read(clues())).lacks).toMatch(/^it has no rollout below/);
    expect((await codex.read(clues({ env: {} }))).lacks).toBe('it has no rollout');
    write(path, META);
    expect((await codex.read(clues())).lacks).toMatch(/^nothing was said/);
    rmSync(join(home, path));
    const packed = write(`${path}.zst`, 'packed');
    expect(await codex.read(clues())).toMatchObject({
      lacks: expect.stringContaining('compressed'),
      files: [packed],
    });
  });
});

describe('Gemini CLI', () => {
  const path = `.gemini/tmp/p/chats/session-2026-11-17T00-00-${ID.slice(0, 8)}.jsonl`;
  const HEAD = { sessionId: ID, lastUpdated: '2026-11-01T00:00:00.000Z' };
  const [at, said] = [Date.parse(HEAD.lastUpdated), { type: 'user' }];

  it('is resumed from its chat, and kept for 30 days after its last word', async () => {
    const chat = write(path, HEAD, said);
    const output = write(`.gemini/tmp/p/tool-outputs/session-${ID}/1.txt`, 'x');
    const whole = { lacks: null, files: [chat, output], deletedAt: at + 30 * DAY };
    expect(await GEMINI_CONVERSATIONS.read(clues())).toEqual(whole);
    expect(await GEMINI_CONVERSATIONS.read(clues({ transcript: chat }))).toEqual(whole);
  });

  it.each([
    ['{"general": {"sessionRetention": {"maxAge": "2w" /* short */}}}', 14 * DAY],
    ['{"general": {"sessionRetention": {"enabled": false}}}', null],
    ['{"general": {"sessionRetention": {"maxAge": "odd"}}}', null],
    ['no JSON', 30 * DAY],
  ])('follows its settings: %s', async (settings, age) => {
    write(path, HEAD, said);
    write('.gemini/settings.json', settings);
    const { deletedAt } = await GEMINI_CONVERSATIONS.read(clues());
    expect(deletedAt).toBe(age === null ? null : at + age);
  });

  it('says what is missing', async () => {
    expect((await GEMINI_CONVERSATIONS.read(clues())).lacks).toMatch(/^it has no chat below/);
    expect((await GEMINI_CONVERSATIONS.read(clues({ env: {} }))).lacks).toBe('it has no chat');
    const chat = write(path, { sessionId: ID });
    const sight = await GEMINI_CONVERSATIONS.read(clues());
    expect(sight.lacks).toMatch(/^nothing was said/);
    expect(sight.deletedAt).toBeCloseTo(statSync(chat).mtimeMs + 30 * DAY, -1);
  });
});

describe('opencode', () => {
  const path = () => join(home, '.local', 'share', 'opencode', 'opencode.db');
  async function opened() {
    const Database = await loadSqlite();
    if (Database === null) throw new Error('no SQLite');
    return new Database(path());
  }
  async function database() {
    mkdirSync(dirname(path()), { recursive: true });
    const made = await opened();
    made.exec('PRAGMA journal_mode=WAL; CREATE TABLE session (id); CREATE TABLE message (session_id, data)');
    return made;
  }

  it('is resumed from its database, which is read and not written beside', async () => {
    const made = await database();
    made.exec(`INSERT INTO session VALUES ('${ID}'), ('empty'); INSERT INTO message VALUES ('${ID}', '{}')`);
    made.close();
    expect(await opencode.read(clues())).toEqual({ lacks: null, files: [], deletedAt: null });
    expect(readdirSync(dirname(path()))).toEqual(['opencode.db']);
    // And while another opencode has it open.
    const other = await opened();
    other.exec(`INSERT INTO session VALUES ('later'); INSERT INTO message VALUES ('later', '{}')`);
    expect((await opencode.read(clues({ conversation: 'later' }))).lacks).toBeNull();
    other.close();
    expect((await opencode.read(clues({ conversation: 'empty' }))).lacks).toMatch(/^nothing was said/);
    expect((await opencode.read(clues({ conversation: 'other', transcript: path() }))).lacks).toMatch(
      /^it is not in/,
    );
    expect(opencode.folder(clues())).toBe(dirname(path()));
  });

  it('says what is missing', async () => {
    expect((await opencode.read(clues())).lacks).toBe(`${path()} is not there`);
    expect((await opencode.read(clues({ env: {} }))).lacks).toBe('where opencode keeps it cannot be told');
    expect(opencode.folder(clues({ env: {} }))).toBeNull();
    mkdirSync(dirname(path()), { recursive: true });
    writeFileSync(path(), 'no database, but long enough to be looked at');
    expect((await opencode.read(clues())).lacks).toContain(path());
  });
});
