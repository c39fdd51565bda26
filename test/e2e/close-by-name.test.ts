import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { test as base, describe, expect } from 'vitest';
import { closeDocumentSchema } from '../../src/contract/close-schemas.ts';
import { logDocumentSchema } from '../../src/contract/ledger-schemas.ts';
import { lives } from '../engine/act/closing-room.ts';
import { rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { ScriptedAgents } from '../support/scripted-agent.ts';

/** The command itself with its defaults: rest of 45 min, retention of 10 min. Only the confirm window is shorter. */
class Desk {
  readonly tmux = new PrivateTmux('desk');
  readonly agents = new ScriptedAgents(this.tmux.folder);
  readonly plain = join(this.tmux.folder, 'plain');
  readonly repository = join(this.tmux.folder, 'repository');
  readonly env: NodeJS.ProcessEnv = {
    ...this.tmux.env,
    XDG_STATE_HOME: join(this.tmux.folder, 'state'),
    XDG_CONFIG_HOME: join(this.tmux.folder, 'config'),
  };

  constructor() {
    const folder = join(this.tmux.folder, 'config', 'rollcall');
    mkdirSync(folder, { recursive: true });
    // Several tests run at once: an answer that takes its time is none the worse.
    const patient = { tmux: { timeout: '20s' }, git: { timeout: '20s' } };
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({ confirmFor: '1s', startingFor: '0s', ...patient }),
    );
    mkdirSync(this.plain);
  }

  here(command: string, ...argv: string[]) {
    return rollcall([command, '--server', this.tmux.socketPath, ...argv], this.env);
  }

  /** What only prepares the scene, or looks at it afterwards, needs no process of its own. */
  inside(command: string, ...argv: string[]) {
    return rollcallInside([command, '--server', this.tmux.socketPath, ...argv], this.env);
  }

  /** Starts an agent, and waits until it says that its turn is over. */
  async start(name: string, cwd = this.plain): Promise<number> {
    const argv = this.agents.argv(name, 'leaves', `talk-${basename(this.tmux.folder)}-${name}`);
    const ran = await this.inside('run', '--name', name, '--cwd', cwd, '--', ...argv);
    expect([ran.stderr, ran.exitCode]).toEqual(['', 0]);
    return this.agents.pid(name);
  }

  /** What a close by these names says of each. */
  async close(...argv: string[]) {
    const { stdout } = await this.here('close', '--json', '--timeout', '2m', ...argv);
    return v.parse(closeDocumentSchema, JSON.parse(stdout)).sessions;
  }

  git(...argv: string[]): string {
    const who = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main'];
    return execFileSync('git', ['-C', this.repository, ...who, ...argv], { encoding: 'utf8' });
  }

  /** One commit, and one file that no commit has. */
  dirty(): string {
    mkdirSync(this.repository);
    this.git('init', '--quiet');
    this.git('commit', '--quiet', '--allow-empty', '--message', 'begin');
    writeFileSync(join(this.repository, 'draft.txt'), 'unfinished\n');
    return this.repository;
  }
}

const test = base.extend<{ desk: Desk }>({
  desk: async ({ task: _ }, use) => {
    const desk = new Desk();
    await use(desk);
    desk.tmux.stop();
  },
});

describe.concurrent('number 4: a person who closes by name', () => {
  test('is not held up by little rest, an uncommitted file or a retention; --due is', async ({ desk }) => {
    const pids = [
      await desk.start('young'),
      ...(await Promise.all([desk.start('dirty', desk.dirty()), desk.start('done'), desk.start('kept')])),
    ];
    const said = [desk.inside('complete', 'done'), desk.inside('retain', 'kept', '--for', '1h')];
    expect((await Promise.all(said)).map(({ exitCode }) => exitCode)).toEqual([0, 0]);

    const due = await desk.here('close', '--due');
    expect([due.exitCode, due.stdout]).toEqual([0, 'nothing is due\n']);
    expect(pids.map(lives)).toEqual([true, true, true, true]);

    const closed = await desk.close('young', 'dirty', 'done', 'kept');
    const rested = { code: 'rested', kind: 'unfinished' };
    expect(closed).toMatchObject([
      { name: 'young', result: 'closed', receipt: { isForced: false, waived: [rested] } },
      {
        ...{ name: 'dirty', result: 'closed' },
        receipt: { waived: [rested, { code: 'work-saved', kind: 'unfinished' }] },
      },
      { name: 'done', result: 'closed', receipt: { waived: [rested] } },
      {
        ...{ name: 'kept', result: 'closed' },
        receipt: { waived: [rested, { code: 'retained', kind: 'unfinished' }], despite: [] },
      },
    ]);
    expect(pids.map(lives)).toEqual([false, false, false, false]);
    expect(desk.git('status', '--porcelain')).toBe('?? draft.txt\n');
    const log = v.parse(logDocumentSchema, JSON.parse((await desk.inside('log', '--json')).stdout));
    const intents = log.entries.filter(({ kind, action }) => kind === 'intent' && action === 'close');
    expect(intents).toHaveLength(4);
    expect(intents.every(({ body }) => JSON.stringify(body).includes('"kind":"unfinished"'))).toBe(true);
  });

  test('is held up by a draft whatever else is unfinished, is told which is which, and by --force what is lost', async ({
    desk,
  }) => {
    const pid = await desk.start('worker', desk.dirty());
    await desk.agents.say('worker', 'idle', 'draft');
    const [report] = await desk.close('worker');
    expect(report).toMatchObject({
      ...{ result: 'refused', exitCode: 3 },
      text: 'something may be lost: text stands in the input that was not sent',
      hint: expect.stringContaining('what is listed as blocked may be lost'),
    });
    const codes = (kind: string) =>
      report?.blockers.filter((one) => one.kind === kind).map(({ code }) => code);
    expect(codes('would-lose')).toContain('nothing-unsent');
    expect(codes('unfinished')).toEqual(['rested', 'work-saved']);
    expect(lives(pid)).toBe(true);

    const { stdout } = await desk.inside('explain', 'worker');
    expect(stdout).toMatch(
      /what closing would lose: [^\n]*\n[\s\S]*✗ text stands in the input[^\n]*\[nothing-unsent\][\s\S]*what is unfinished: [^\n]*\n[\s\S]*\[rested\][\s\S]*\[work-saved\]/,
    );
    const forced = await desk.here('close', 'worker', '--force');
    expect(forced.exitCode).toBe(0);
    expect(forced.stderr).toMatch(
      /^worker: forced\n[\s\S]* {2}may lose what is typed and not sent: [^\n]*\(nothing-unsent\)\n[\s\S]* {2}unfinished, stays as it is: 1 uncommitted file[^\n]*\(work-saved\)\n/,
    );
    expect(lives(pid)).toBe(false);
    expect(desk.git('status', '--porcelain')).toBe('?? draft.txt\n');
  });
});
