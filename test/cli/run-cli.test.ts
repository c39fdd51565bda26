import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  errorDocumentSchema,
  explainDocumentSchema,
  rollDocumentSchema,
} from '../../src/contract/document-schemas.ts';
import type { Roll } from '../../src/core/sight/roll.ts';
import { Failure } from '../../src/operations/failure.ts';
import { ProjectTree } from '../config/project-tree.ts';
import { RAW, textsOf } from '../contract/arbitrary-roll.ts';
import { run } from './fake-outside.ts';
import { entry, roll } from './render/samples.ts';

const other = { socketPath: '/tmp/tmux-1000/work', label: 'work', pid: 9, startTicks: 9, version: '3.3a' };
const ROLL = roll([
  entry('stuck', { lifecycle: 'stale', activity: 'idle' }),
  entry('build', { key: 'k1', sessionId: '$1' }),
  entry('build', { key: 'k2', sessionId: '$2', server: other }),
]);
const NO_TMUX: Roll = roll([], {
  problems: [{ code: 'tmux-missing', text: 'tmux is not installed', hint: 'install it: apt install tmux' }],
});
const SILENT: Roll = roll([entry('build')], {
  problems: [{ code: 'server-timeout', text: 'no answer within 2 s', socketPath: '/tmp/tmux-1000/hung' }],
});

describe('rollcall', () => {
  it('prints the roll', async () => {
    const { exitCode, stdout, stderr, looks } = await run([], { roll: ROLL });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/stuck/);
    expect(stdout.endsWith('\n')).toBe(true);
    expect(looks).toEqual([{}]);
  });

  it('prints one JSON document that fits the contract, on one line into a pipe', async () => {
    const { exitCode, stdout } = await run(['--json'], { roll: ROLL });
    expect(exitCode).toBe(0);
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
    expect(v.parse(rollDocumentSchema, JSON.parse(stdout)).sessions).toHaveLength(3);
  });

  it('indents JSON on a terminal', async () => {
    const { stdout } = await run(['--json'], { roll: ROLL, isTTY: true });
    expect(stdout).toContain('\n  "host"');
  });

  it('filters, and says how many the filter hides', async () => {
    const args = ['--lifecycle=stale,lost', '--activity', 'idle', '--agent=claude', 'st*'];
    const { stdout } = await run([...args, '--json'], { roll: ROLL });
    expect(JSON.parse(stdout).sessions.map(({ name }: { name: string }) => name)).toEqual(['stuck']);
    expect((await run(['zzz*'], { roll: ROLL })).stdout).toContain('3 sessions are on the roll without it');
  });

  it('looks only at the servers that are named, paths in full', async () => {
    const { looks, exitCode } = await run(['--server=work', '--server', '../tmp/tmux-1000/default'], {
      roll: ROLL,
      cwd: '/home',
    });
    expect(exitCode).toBe(0);
    expect(looks).toEqual([{ servers: ['work', '/tmp/tmux-1000/default'] }]);
  });

  it('is not found for a server that does not run', async () => {
    const { exitCode, stderr } = await run(['--server=nope'], { roll: ROLL });
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/^rollcall: no tmux server 'nope' runs\n {2}hint: /);
  });

  it('S32: knows a server that is silent, and does not call it absent', async () => {
    expect((await run(['--server=hung'], { roll: SILENT })).exitCode).toBe(0);
    expect((await run(['--server=/tmp/tmux-1000/hung'], { roll: SILENT })).exitCode).toBe(0);
  });

  it('is done when no tmux server runs', async () => {
    const empty = roll([]);
    const { exitCode, stdout } = await run([], { roll: empty });
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('No tmux server'),
    });
    expect((await run(['--json'], { roll: empty })).exitCode).toBe(0);
    expect((await run(['no-*'], { roll: empty })).exitCode).toBe(0);
  });

  it('fails with what to install when there is no tmux; JSON still has its document', async () => {
    for (const words of [[], ['some-name'], ['--server=x']]) {
      const text = await run(words, { roll: NO_TMUX });
      expect(text.exitCode).toBe(1);
      expect(text.stderr).toBe('rollcall: tmux is not installed\n  hint: install it: apt install tmux\n');
      const json = await run([...words, '--json'], { roll: NO_TMUX });
      expect(json.exitCode).toBe(1);
      expect(v.parse(rollDocumentSchema, JSON.parse(json.stdout)).problems[0]?.code).toBe('tmux-missing');
    }
    expect(await run(['explain', 'x'], { roll: NO_TMUX })).toMatchObject({ exitCode: 1 });
  });

  it('is not found for a name that no session has, and suggests', async () => {
    const near = await run(['buidl'], { roll: ROLL });
    expect(near.exitCode).toBe(4);
    expect(near.stderr).toContain("rollcall: no session 'buidl'\n");
    expect(near.stderr).toContain("hint: did you mean 'build'?");
    const command = await run(['expalin'], { roll: ROLL });
    expect(command.stderr).toContain('hint: did you mean the command rollcall explain?');
    expect((await run(['zzzzzz'], { roll: ROLL })).stderr).toContain('hint: rollcall lists all sessions');
    expect((await run(['zzzzzz'], { roll: roll([]) })).stderr).toContain('hint: there is no session at all');
  });

  it('S32: cannot tell, rather than not found, while a server is silent', async () => {
    for (const argv of [['ghost'], ['explain', 'ghost']]) {
      const { exitCode, stderr } = await run(argv, { roll: SILENT });
      expect(exitCode).toBe(1);
      expect(stderr).toContain(
        "cannot tell whether there is a session 'ghost'\n  no answer from /tmp/tmux-1000/hung\n",
      );
    }
  });

  it('S32: suggests a near name also while a server is silent', async () => {
    expect((await run(['buidl'], { roll: SILENT })).stderr).toContain("hint: did you mean 'build'?");
  });

  it('S35: is not found when a server is exactly gone, though a problem tells of it', async () => {
    const gone = roll([], {
      problems: [{ code: 'server-ended', text: 'gone', socketPath: '/tmp/tmux-1000/x' }],
    });
    expect((await run(['ghost'], { roll: gone })).exitCode).toBe(4);
    expect((await run(['--server=x'], { roll: gone })).exitCode).toBe(4);
  });

  it('S9: finds a name with a leading dash behind --', async () => {
    const odd = roll([entry('-odd'), entry('--json')]);
    expect((await run(['--json', '--', '-odd'], { roll: odd })).stdout).toContain('"name":"-odd"');
    const text = await run(['--', '--json'], { roll: odd });
    expect(text).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('schemaVersion') });
  });

  it('shows a session that is called like a command behind -- or roll', async () => {
    const watch = roll([entry('watch')]);
    for (const argv of [
      ['--', 'watch'],
      ['roll', 'watch'],
    ]) {
      expect((await run([...argv], { roll: watch })).stdout).toContain('watch');
    }
  });

  it('paints only where it is wanted', async () => {
    const isPainted = async (argv: string[], env = {}, isTTY = true) =>
      (
        await run(argv, { roll: ROLL, isTTY, columns: 120, env: { HOME: '/nowhere', ...env } })
      ).stdout.includes('\u001b[');
    expect(await isPainted([])).toBe(true);
    expect(await isPainted([], {}, false)).toBe(false);
    expect(await isPainted(['--color=always'], {}, false)).toBe(true);
    expect(await isPainted(['--color=always'], { NO_COLOR: '1' }, false)).toBe(true);
    for (const argv of [['--no-color'], ['--color=never'], ['--no-color', '--color=always']]) {
      expect(await isPainted(argv)).toBe(false);
    }
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) expect(await isPainted([], env)).toBe(false);
    expect(await isPainted([], { NO_COLOR: '' })).toBe(true);
  });
});

describe('rollcall explain', () => {
  it('looks thoroughly and explains', async () => {
    const { exitCode, stdout, looks } = await run(['explain', 'stuck'], { roll: ROLL });
    expect({ exitCode, looks }).toEqual({
      exitCode: 0,
      looks: [{ inspect: expect.any(Function), isWithClosed: true }],
    });
    expect(stdout).toContain('stuck');
  });

  it('prints a document that fits the contract', async () => {
    const { stdout } = await run(['explain', '--json', 'stuck'], { roll: ROLL });
    expect(v.parse(explainDocumentSchema, JSON.parse(stdout)).session.name).toBe('stuck');
  });

  it('S5: lists the candidates of an ambiguous name and chooses none', async () => {
    const { exitCode, stdout, stderr } = await run(['explain', 'build'], { roll: ROLL });
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
    expect(stderr).toBe(
      [
        "rollcall: 'build' may be any of 2 sessions",
        '  default:build  $1  key k1',
        '  work:build  $2  key k2',
        '  hint: name the server too, as LABEL:NAME or SOCKETPATH:NAME, or use the key',
        '',
      ].join('\n'),
    );
    expect((await run(['explain', 'work:build'], { roll: ROLL })).exitCode).toBe(0);
  });

  it.each([
    [['explain'], 'explain needs SESSION'],
    [['explain', 'a', 'b'], "explain takes only 1 word: 'b' is too much"],
    [['config', 'explain', 'x'], "config explain takes no words: 'x' is too much"],
    [['explain', '--lifecycle=stale', 'a'], 'unknown flag --lifecycle'],
    [['watch', '--every=soon'], '--every=soon is not a duration'],
    [['watch', '--every=1ms'], '--every=1ms is below 500ms'],
    [['completions', 'tcsh'], "no completions for 'tcsh'"],
    [['completions'], 'completions needs SHELL'],
    [['help', 'expalin'], "there is no command 'expalin'"],
    [['config'], 'config needs a second word'],
    [['--lifecycle=dead'], "--lifecycle cannot be 'dead'"],
  ])('%j is wrong usage, said without looking', async (argv, message) => {
    const { exitCode, stdout, stderr, looks } = await run(argv);
    expect({ exitCode, stdout, looks }).toEqual({ exitCode: 2, stdout: '', looks: [] });
    expect(stderr).toContain(`rollcall: ${message}`);
    expect(stderr).toContain('\n  hint: ');
  });
});

describe('a failure with --json', () => {
  it.each([
    [['--json', 'ghost'], 'not-found', 4],
    [['explain', '--json', 'build'], 'ambiguous', 5],
    [['--json', '--bogus'], 'usage', 2],
    [['explain', '--json'], 'usage', 2],
    [['--json', 'config'], 'usage', 2],
  ])('%j is a document on stdout with the same exit code', async (argv, code, expected) => {
    const { exitCode, stdout, stderr } = await run(argv, { roll: ROLL });
    expect({ exitCode, stderr }).toEqual({ exitCode: expected, stderr: '' });
    const document = JSON.parse(stdout);
    expect(v.parse(errorDocumentSchema, document)).toEqual(document);
    expect(document.error).toMatchObject({ code, exitCode: expected });
  });

  it('names the candidates', async () => {
    const { stdout } = await run(['explain', '--json', 'build'], { roll: ROLL });
    expect(JSON.parse(stdout).error.candidates).toEqual([
      { key: 'k1', name: 'build', sessionId: '$1', server: 'default' },
      { key: 'k2', name: 'build', sessionId: '$2', server: 'work' },
    ]);
  });

  it('stays text when --json is only a word behind --', async () => {
    const { stdout, stderr } = await run(['--bogus', '--', '--json'], { roll: ROLL });
    expect({ stdout, stderr }).toEqual({
      stdout: '',
      stderr: expect.stringContaining('unknown flag --bogus'),
    });
  });
});

describe('S54: what a user or a session name brings', () => {
  const evil = '\u001b]0;x\u0007\u202e\n\u009b';

  it.each([
    [[evil]],
    [[`--${evil}`]],
    [[`--color=${evil}`]],
    [['explain', evil]],
    [['help', evil]],
    [[`--config=${evil}`]],
  ])('%j reaches neither stderr nor JSON raw', async (argv) => {
    const hostile = roll([entry(`${evil}1`), entry(`${evil}2`)]);
    const text = await run(argv, { roll: hostile });
    expect(text.exitCode).toBeGreaterThan(0);
    expect(text.stderr.split('\n').filter((line) => RAW.test(line))).toEqual([]);
    const json = await run(['--json', ...argv], { roll: hostile });
    expect(textsOf(JSON.parse(json.stdout)).filter((line) => RAW.test(line))).toEqual([]);
  });
});

describe('anything unexpected', () => {
  const broken = async () => {
    throw new Error('sensor exploded\u001b[31m', { cause: new Error('disk on fire') });
  };

  it('is said as a defect, with its cause and where, and fails', async () => {
    const { exitCode, stderr } = await run([], { roll: broken });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^rollcall: unexpected error: sensor exploded\\e\[31m\n {2}cause: disk on fire\n {2}at /,
    );
    expect(stderr).toContain('hint: this is a defect');
  });

  it('is JSON under --json', async () => {
    const { exitCode, stdout } = await run(['--json'], { roll: broken });
    expect(exitCode).toBe(1);
    expect(v.parse(errorDocumentSchema, JSON.parse(stdout)).error.code).toBe('failed');
  });

  it('about the output fails on stderr', async () => {
    const full = async () => {
      throw new Failure('failed', 'the output could not be written: ENOSPC');
    };
    const { exitCode, stderr } = await run(['--version'], { settled: full });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('ENOSPC') });
  });

  it('does not include a reader that goes away: head and less may quit', async () => {
    expect((await run(['ghost'], { roll: ROLL, settled: async () => 'closed' })).exitCode).toBe(0);
  });
});

describe('config', () => {
  let tree: ProjectTree;
  beforeEach(() => {
    tree = new ProjectTree();
  });
  afterEach(() => tree.remove());
  const inTree = () => ({ env: tree.env, cwd: tree.folder('home/repo'), roll: ROLL });

  it('reaches the sensors, composed once', async () => {
    tree.userFile({ idleAfter: '1h', protect: ['crew-*'] });
    const { composed } = await run([], inTree());
    expect(composed).toHaveLength(1);
    expect(composed[0]).toMatchObject({ policy: { idleAfterMs: 3_600_000 }, protect: ['crew-*'] });
  });

  it('that is broken ends every command that needs it, with exit 2 and the reason, before anything is looked at', async () => {
    const file = tree.userFile({ idleAfter: '5s' });
    for (const argv of [[], ['explain', 'stuck'], ['config', 'explain'], ['watch']]) {
      const { exitCode, stdout, stderr, looks } = await run(argv, inTree());
      expect({ exitCode, stdout, looks }).toEqual({ exitCode: 2, stdout: '', looks: [] });
      expect(stderr).toBe(
        `rollcall: ${file}: idleAfter = "5s" is below 1m\n  hint: write a duration such as "90s", "45m", "6h" or "2d" (units ms, s, m, h, d), between 1m and 30d\n`,
      );
    }
  });

  it('with several mistakes tells all of them', async () => {
    tree.userFile({ idleAfter: '5s', idelAfter: '1h' });
    const { stderr } = await run([], inTree());
    expect(stderr).toMatch(
      /^rollcall: 2 mistakes in the config\n.*is below 1m: write.*\n.*is no setting: did you mean idleAfter\?\n$/,
    );
  });

  it('with very many mistakes tells the first ten', async () => {
    tree.userFile(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1])));
    const { stderr } = await run([], inTree());
    expect(stderr.split('\n')).toHaveLength(13);
    expect(stderr).toContain('  and 490 more\n');
  });

  it.each([['--help'], ['--version'], ['help'], ['version'], ['completions', 'bash']])(
    'that is broken does not stand in the way of %j',
    async (...argv) => {
      tree.userFile('{');
      expect(await run(argv, inTree())).toMatchObject({ exitCode: 0, stderr: '', composed: [] });
    },
  );

  it('of a project that was overruled is told with the roll', async () => {
    tree.projectFile({ idleAfter: '5m' });
    const { stdout, exitCode } = await run(['--json'], inTree());
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).problems).toMatchObject([{ code: 'config-overruled', socketPath: null }]);
    expect((await run([], inTree())).stdout).toContain('may only raise it');
  });
});
