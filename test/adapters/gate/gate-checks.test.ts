import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBoxes } from '../../../src/adapters/gate/look-at-check.ts';
import { gateChecksIn } from '../../../src/compose/gate/gate.ts';
import type { CheckResult, GateCheck } from '../../../src/core/gate/check.ts';
import type { GateChecks, OwnTodo } from '../../../src/ports/gate.ts';
import { until } from '../../support/until.ts';

let folder: string;
let work: string;
let checks: GateChecks;
const ending = { current: new AbortController() };

beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'checks-'));
  work = join(folder, 'work');
  mkdirSync(work);
  git('init', '-q', '-b', 'main');
  writeFileSync(join(work, 'kept.txt'), 'kept\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  ending.current = new AbortController();
  checks = gateChecksIn(process.env, { gitTimeoutMs: 10_000, signal: ending.current.signal });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): void {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', work, ...who, ...args], { stdio: 'ignore' });
}

const NO_LIST: OwnTodo = { state: 'unknown', text: 'no list' };

async function look(
  check: Exclude<GateCheck, { kind: 'command' }>,
  cwd = work,
  todo: OwnTodo | Error = NO_LIST,
): Promise<CheckResult> {
  const ownTodo = () => {
    if (todo instanceof Error) throw todo;
    return todo;
  };
  return checks.look(check, { cwd, tree: await checks.tree(cwd), at: 5, ownTodo });
}

async function run(...argv: string[]): Promise<CheckResult> {
  return ranIn(null, 10_000, ...argv);
}

async function ranIn(cwd: string | null, timeoutMs: number, ...argv: string[]): Promise<CheckResult> {
  const tree = await checks.tree(work);
  return checks.run({ kind: 'command', argv, cwd, timeoutMs }, { cwd: work, tree, at: 5 });
}

describe('clean, pushed and files', () => {
  test('clean tells how many files are not committed, for this state of the tree', async () => {
    const met = await look({ kind: 'clean' });
    expect(met).toMatchObject({ state: 'met', at: 5, tree: expect.any(String) });
    writeFileSync(join(work, 'new'), '');
    const one = await look({ kind: 'clean' });
    expect(one).toMatchObject({ state: 'unmet', text: '1 uncommitted file', mark: '1' });
    expect(one.tree).not.toBe(met.tree);
    writeFileSync(join(work, 'newer'), '');
    expect(await look({ kind: 'clean' })).toMatchObject({ text: '2 uncommitted files', mark: '2' });
    expect(await look({ kind: 'clean' }, '/proc')).toMatchObject({ state: 'unknown', tree: null });
  });

  test('pushed wants every commit on a remote', async () => {
    expect(await look({ kind: 'pushed' })).toMatchObject({ state: 'unmet', mark: 'no-remote' });
    const remote = join(folder, 'remote.git');
    execFileSync('git', ['init', '-q', '--bare', remote]);
    git('remote', 'add', 'origin', remote);
    expect(await look({ kind: 'pushed' })).toMatchObject({ text: '1 unpushed commit', mark: '1' });
    git('push', '-q', 'origin', 'main');
    expect(await look({ kind: 'pushed' })).toMatchObject({ state: 'met', tree: null });
    for (const name of ['second', 'third']) git('commit', '-q', '--allow-empty', '-m', name);
    expect(await look({ kind: 'pushed' })).toMatchObject({ text: '2 unpushed commits', mark: '2' });
    expect(await look({ kind: 'pushed' }, '/proc')).toMatchObject({ state: 'unknown' });
    expect(await look({ kind: 'pushed' }, join(folder, 'missing'))).toMatchObject({ state: 'unknown' });
  });

  test('a file is there or not', async () => {
    const file = (path: string) => look({ kind: 'file', path });
    expect(await file('kept.txt')).toMatchObject({ state: 'met', tree: null });
    expect(await file(join(work, 'kept.txt'))).toMatchObject({ state: 'met' });
    expect(await file('missing')).toMatchObject({
      state: 'unmet',
      text: 'there is no missing',
      mark: 'absent',
    });
    expect(await file('kept.txt/x')).toMatchObject({ state: 'unmet', mark: 'absent' });
    expect(await file('.git')).toMatchObject({ state: 'unmet', mark: 'no-file' });
    expect(await file('a\0b')).toMatchObject({ state: 'unknown' });
    expect((await file('\u001b[31mred')).text).toBe('there is no \\e[31mred');
  });
});

describe('lists', () => {
  test('a Markdown file has open boxes or none; one that is not there says nothing', async () => {
    const boxes = () => look({ kind: 'todo', path: 'PLAN.md' });
    expect(await boxes()).toMatchObject({ state: 'unknown', text: 'there is no PLAN.md' });
    writeFileSync(
      join(work, 'PLAN.md'),
      '# plan\n- [x] one\n- [ ] two\n  1. [ ] three\n* [ ] four\n+ [ ] five\n',
    );
    expect(await boxes()).toMatchObject({
      state: 'unmet',
      text: '4 left to do in PLAN.md: two; three; four; 1 more',
      mark: '4',
    });
    writeFileSync(join(work, 'PLAN.md'), '- [x] one\n- [X] two\n');
    expect(await boxes()).toMatchObject({ state: 'met' });
    writeFileSync(join(work, 'PLAN.md'), '- [ ] x\n'.repeat(200_000));
    expect(await boxes()).toMatchObject({ state: 'unknown' });
    rmSync(join(work, 'PLAN.md'));
    execFileSync('mkfifo', [join(work, 'PLAN.md')]);
    expect(await boxes()).toMatchObject({ state: 'unknown' });
  });

  test('what is shown as code is no box', () => {
    const text =
      '- [ ] a\n```md\n- [ ] b\n~~~\n```\n> - [ ] c\n~~~~\n- [ ] d\n~~~\n~~~~\n- [] e\n- [ ]\ntext [ ] f\n';
    expect(openBoxes(text)).toEqual(['a', 'c', 'e']);
  });

  test('the agent’s own list is asked, and what it throws says nothing', async () => {
    const own = (todo: OwnTodo | Error) => look({ kind: 'todo', path: null }, work, todo);
    expect(await own({ state: 'read', open: [] })).toMatchObject({ state: 'met' });
    expect(await own({ state: 'read', open: ['one'] })).toMatchObject({
      text: '1 left to do: one',
      mark: '1',
    });
    expect(await own(NO_LIST)).toMatchObject({ state: 'unknown', text: 'no list' });
    expect(await own(new Error('gone'))).toMatchObject({ state: 'unknown', text: 'gone' });
  });
});

describe('commands', () => {
  test('hold for the tree that they leave as it was, and are never given to a shell', async () => {
    const { digest } = (await checks.tree(work)) as { digest: string };
    expect(await run('true')).toMatchObject({ state: 'met', mark: '0', tree: digest, at: 5 });
    expect(await run('sh', '-c', 'echo why; echo; exit 3')).toMatchObject({
      ...{ state: 'unmet', text: 'exit status 3 (why)', mark: '3', tree: digest },
    });
    const word = '; touch injected $(touch injected)';
    expect(await run('test', word, '=', word)).toMatchObject({ state: 'met' });
    expect(existsSync(join(work, 'injected'))).toBe(false);
    expect(await run('sh', '-c', 'date +%N >changed; exit 1')).toMatchObject({ state: 'unmet', tree: null });
    mkdirSync(join(work, 'sub'));
    expect(await ranIn('sub', 10_000, 'sh', '-c', 'test "$(basename "$PWD")" = sub')).toMatchObject({
      state: 'met',
    });
  });

  test('that did not come to an end by themselves', async () => {
    expect(await ranIn(null, 200, 'sleep', '1000')).toMatchObject({
      ...{ state: 'unmet', text: 'not done within under 1 s', mark: 'timed-out' },
    });
    expect(await run('sh', '-c', 'kill -SEGV $$')).toMatchObject({ state: 'unmet', mark: 'SIGSEGV' });
    for (const signal of ['KILL', 'TERM', 'INT', 'HUP']) {
      expect(await run('sh', '-c', `kill -${signal} $$`)).toMatchObject({ state: 'unknown', tree: null });
    }
    expect(await run(join(folder, 'missing'))).toMatchObject({ state: 'unknown', tree: null });
    expect(await ranIn('missing', 10_000, 'true')).toMatchObject({ state: 'unknown' });
  });

  test('are ended with what they started as soon as nobody waits', async () => {
    const pids = join(folder, 'pids');
    const ran = run('sh', '-c', `sleep 1000 & echo $$ $! >'${pids}.new'; mv '${pids}.new' '${pids}'; wait`);
    await until('it runs', () => existsSync(pids));
    ending.current.abort();
    expect(await ran).toMatchObject({ state: 'unknown', tree: null });
    for (const pid of readFileSync(pids, 'utf8').trim().split(' ')) {
      await until('it is gone', () => !existsSync(`/proc/${pid}`));
    }
    expect(await run('sleep', '1000')).toMatchObject({ state: 'unknown' });
  });
});
