import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { test as base, describe, expect } from 'vitest';
import type { Settings } from '../../src/config/settings.ts';
import { closeDocumentSchema, reopenDocumentSchema } from '../../src/contract/close-schemas.ts';
import { run as runCli } from '../cli/fake-outside.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { ClosingRoom } from '../engine/act/closing-room.ts';
import { ClaudeProgram } from './claude-program.ts';

/** What was said in a conversation, and has to be found nowhere else. */
const SAID = 'the quick brown fox';

/** The command with real hands, in a room with a HOME and a Claude Code of its own. */
class Receipts extends ClosingRoom {
  readonly claude = new ClaudeProgram(this);
  readonly copies = join(this.state, 'rollcall', 'conversations');
  keepBytes = 1024 ** 3;

  override get settings(): Settings {
    return { ...super.settings, archive: { keepConversationsBytes: this.keepBytes } };
  }

  cli(...argv: string[]) {
    return runCli(argv, {
      hands: () => this.hands(),
      env: { HOME: this.claude.home, SHELL: '/bin/sh' },
      now: Date.now,
    });
  }

  async done(...argv: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.cli(...argv);
    if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  /** Starts one, and gives how it was started and its transcript. */
  async start(name: string) {
    const before = this.#last;
    const at = ['--name', name, '--server', this.tmux.socketPath, '--cwd', this.tmux.folder];
    await this.done('run', ...at, '--', this.claude.path);
    this.#last = await this.claude.started(before);
    const id = / --(?:session-id|resume) (\S+)/.exec(this.#last.argv)?.[1] ?? '';
    return { id, transcript: this.claude.transcript(id) };
  }

  async closed(name: string) {
    const stdout = await this.done('close', name, '--force', '--json');
    const [one] = v.parse(closeDocumentSchema, JSON.parse(stdout)).sessions;
    const { receipt = '', conversations = [], notes = [] } = one?.receipt ?? {};
    return { receipt, notes, stdout, conversation: conversations[0] };
  }

  async reopen(word: string) {
    return v.parse(reopenDocumentSchema, JSON.parse(await this.done('reopen', word, '--json')));
  }

  #last: Awaited<ReturnType<ClaudeProgram['started']>> | undefined;
}

const test = base.extend<{ room: Receipts }>({
  room: async ({ task: _ }, use) => {
    const room = new Receipts();
    await room.tmux.session('stays');
    await use(room);
    room.leave();
  },
});

function holding(folder: string, text: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && readFileSync(path).includes(text);
  });
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe.concurrent('endings 6: a receipt stays good', () => {
  test('S64: its agent deletes the conversation, and reopen puts it back', async ({ room }) => {
    const { id, transcript } = await room.start('worker');
    const [project, side] = [dirname(transcript), transcript.replace(/\.jsonl$/, '/subagents/agent-1.jsonl')];
    mkdirSync(dirname(side), { recursive: true });
    writeFileSync(side, '{"type":"user"}\n', { mode: 0o640 });
    chmodSync(project, 0o750);
    chmodSync(transcript, 0o640);
    const { receipt, conversation, stdout } = await room.closed('worker');
    expect(conversation).toEqual({
      ...{ paneId: expect.any(String), agent: 'claude', conversation: id, isProven: true, lacks: null },
      ...{ copy: expect.stringMatching(/^[0-9a-f]{64}$/), copyBytes: expect.any(Number) },
      ...{ notKept: null, goodUntil: null },
    });
    const copy = join(room.copies, `${receipt}-0`);
    expect(readdirSync(copy).sort()).toEqual(['0.gz', '1.gz', 'index.json']);
    expect([room.copies, copy, join(copy, '0.gz'), join(copy, 'index.json')].map(modeOf)).toEqual([
      ...['700', '700', '600', '600'],
    ]);
    const before = readFileSync(transcript, 'utf8');
    // As Claude Code does after its time.
    rmSync(project, { recursive: true });
    const told = await room.done('reopen', receipt);
    expect(told).toContain(`put back from the copy: ${transcript} and 1 more file`);
    expect(readFileSync(transcript, 'utf8').startsWith(before)).toBe(true);
    expect([project, transcript, side].map(modeOf)).toEqual(['750', '640', '640']);
    expect(readdirSync(project).sort()).toEqual([id, `${id}.jsonl`]);
    // Nothing of what was said is anywhere but in the copy, which is compressed.
    const hands = await room.hands();
    const roll = await hands.look({ inspect: (sessions) => sessions, isWithClosed: true });
    const shown = [stdout, told, JSON.stringify([entriesOf(hands), roll])];
    expect([...holding(room.state, SAID), ...shown.filter((text) => text.includes(SAID))]).toEqual([]);
  });

  test('S64: what its agent still has is never replaced', async ({ room }) => {
    const { transcript } = await room.start('worker');
    const { receipt } = await room.closed('worker');
    const other = `${readFileSync(transcript, 'utf8')}{"type":"user","later":true}\n`;
    writeFileSync(transcript, other);
    expect((await room.reopen(receipt)).putBack).toEqual([]);
    expect(readFileSync(transcript, 'utf8').startsWith(other)).toBe(true);
  });

  test('S64: a copy that cannot be put back: nothing is started, and it can be tried again', async ({
    room,
  }) => {
    const { transcript } = await room.start('worker');
    const { receipt } = await room.closed('worker');
    const project = dirname(transcript);
    rmSync(project, { recursive: true });
    writeFileSync(project, 'in the way');
    const failed = await room.cli('reopen', receipt);
    expect(failed).toMatchObject({ exitCode: 1, stdout: '' });
    expect(failed.stderr).toMatch(
      /could not be put back from its copy: .*\n.*nothing was started, and the copy stays/,
    );
    expect((await room.tmux.tmux('list-sessions', '-F', '#{session_name}')).trim()).toBe('stays');
    rmSync(project);
    expect((await room.reopen(receipt)).putBack).toEqual([transcript]);
  });

  test('S64: over its bound the copies go that somebody else has, then the oldest, and that is told', async ({
    room,
  }) => {
    const first = await room.start('first');
    const one = await room.closed('first');
    await room.start('second');
    const two = await room.closed('second');
    rmSync(first.transcript);
    // Room for two of the three: the first is the only one of its conversation, the second is not.
    room.keepBytes = Math.floor((one.conversation?.copyBytes ?? 0) * 2.5);
    await room.start('third');
    const three = await room.closed('third');
    const kept = () => readdirSync(room.copies).filter((name) => !name.startsWith('.'));
    expect(kept().sort()).toEqual([`${one.receipt}-0`, `${three.receipt}-0`].sort());
    expect(three.notes).toEqual([]);
    room.keepBytes = Math.floor((one.conversation?.copyBytes ?? 0) * 1.5);
    rmSync(room.claude.transcript(three.conversation?.conversation ?? ''));
    await room.start('fourth');
    const four = await room.closed('fourth');
    expect(kept()).toEqual([`${four.receipt}-0`]);
    expect(four.notes).toEqual([
      `the only copy of the claude conversation of receipt ${one.receipt} was removed, to keep to archive.keepConversations`,
      `the only copy of the claude conversation of receipt ${three.receipt} was removed, to keep to archive.keepConversations`,
    ]);
    // The agent still has the second; nobody has the first.
    expect((await room.reopen(two.receipt)).missing).toEqual([]);
    const failed = await room.cli('reopen', one.receipt);
    expect(`${failed.stdout}${failed.stderr}`).toMatch(
      /its copy was removed on \d{4}-\d\d-\d\d, to keep to archive\.keepConversations/,
    );
  });

  test('a conversation that cannot be resumed is called that', async ({ room }) => {
    const { transcript } = await room.start('worker');
    writeFileSync(transcript, `${readFileSync(transcript, 'utf8')}{"type":"assi`);
    const { conversation } = await room.closed('worker');
    expect(conversation).toMatchObject({
      isProven: false,
      lacks: `the last record of ${transcript} is cut off`,
      notKept: null,
    });
  });

  test('without a copy the receipt says until when its agent keeps it', async ({ room }) => {
    room.keepBytes = 0;
    const { transcript } = await room.start('worker');
    writeFileSync(join(room.claude.home, '.claude', 'settings.json'), '{"cleanupPeriodDays": 3}');
    const { conversation } = await room.closed('worker');
    expect(conversation).toMatchObject({ isProven: true, notKept: 'archive.keepConversations is 0' });
    expect(conversation?.goodUntil).toBeCloseTo(statSync(transcript).mtimeMs + 3 * 86_400_000, -1);
  });

  test('a copy that was changed is not put back', async ({ room }) => {
    const { transcript } = await room.start('worker');
    const { receipt } = await room.closed('worker');
    rmSync(transcript);
    const index = join(room.copies, `${receipt}-0`, 'index.json');
    writeFileSync(index, `${readFileSync(index, 'utf8')} `);
    const answer = await room.cli('reopen', receipt);
    expect(`${answer.stdout}${answer.stderr}`).toContain('its copy was not used');
    expect(() => statSync(transcript)).toThrow();
  });
});
