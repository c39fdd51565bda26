import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { test as base, describe, expect } from 'vitest';
import { closeDocumentSchema, wakeDocumentSchema } from '../../src/contract/close-schemas.ts';
import { rollDocumentSchema } from '../../src/contract/document-schemas.ts';
import type { SessionObject } from '../../src/contract/session-schema.ts';
import { rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { ScriptedAgents } from '../support/scripted-agent.ts';
import { digestsOf, repositoryIn } from '../support/trees.ts';
import { until } from '../support/until.ts';

/** No form of a secret that anything would know. */
const VALUE = 'swordfish-of-tuesday';

/** The command itself on a server of its own: a sleeper asks it again, from its own pane. */
class Bedroom {
  readonly tmux = new PrivateTmux('sleep');
  readonly agents = new ScriptedAgents(this.tmux.folder);
  readonly conversation = `talk-${basename(this.tmux.folder)}`;
  readonly env: NodeJS.ProcessEnv = {
    ...this.tmux.env,
    XDG_STATE_HOME: join(this.tmux.folder, 'state'),
    XDG_CONFIG_HOME: join(this.tmux.folder, 'config'),
    CALLER: 'first',
  };

  configure(more: object = {}): void {
    const folder = join(this.tmux.folder, 'config', 'rollcall');
    mkdirSync(folder, { recursive: true });
    const settings = { exitedAfter: '1s', confirmFor: '1s', startingFor: '0s' };
    const patient = { tmux: { timeout: '20s' }, git: { timeout: '20s' } };
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...settings, ...patient, ...more }));
  }

  /** What only prepares the scene, or asks again and again, needs no process of its own. */
  told(command: string, ...argv: string[]): Promise<unknown> {
    return this.#saidBy(rollcallInside, command, ...argv);
  }

  toldAsUser(command: string, ...argv: string[]): Promise<unknown> {
    return this.#saidBy(rollcall, command, ...argv);
  }

  async #saidBy(run: typeof rollcall, command: string, ...argv: string[]): Promise<unknown> {
    const said = await run([command, '--server', this.tmux.socketPath, '--json', ...argv], this.env);
    if (said.exitCode !== 0) throw new Error(`${command} ${argv.join(' ')}: ${said.stdout}${said.stderr}`);
    return JSON.parse(said.stdout);
  }

  async start(cwd: string): Promise<void> {
    await this.tmux.session('stays');
    const argv = this.agents.argv('worker', 'leaves', this.conversation);
    await this.told('run', '--name', 'worker', '--cwd', cwd, '--env', `TOKEN=${VALUE}`, '--', ...argv);
    await this.agents.pid('worker');
  }

  async session(): Promise<SessionObject | undefined> {
    const { sessions } = v.parse(rollDocumentSchema, await this.told('roll', '--all'));
    return sessions.find(({ name }) => name === 'worker');
  }

  becomes(what: Partial<SessionObject>): Promise<SessionObject | undefined> {
    return until(
      `it is ${JSON.stringify(what)}`,
      () => this.session(),
      (one) => Object.entries(what).every(([key, value]) => one?.[key as keyof SessionObject] === value),
      60_000,
      250,
    );
  }

  async hibernate(): Promise<string> {
    const document = v.parse(
      closeDocumentSchema,
      await this.toldAsUser('hibernate', 'worker', '--timeout', '90s'),
    );
    const [one] = document.sessions;
    expect(one).toMatchObject({ result: 'asleep', receipt: { result: 'asleep' } });
    return one?.receipt?.receipt ?? '';
  }

  pane(format: string): Promise<string> {
    return this.tmux.tmux('list-panes', '-s', '-t', '=worker', '-F', format);
  }
}

const test = base.extend<{ room: Bedroom }>({
  room: async ({ task: _ }, use) => {
    const room = new Bedroom();
    await use(room);
    room.tmux.stop();
  },
});

function variablesOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
}

describe.concurrent('endings 11: an agent sleeps in its session', () => {
  test('and wakes on Enter with its variables and its folder, and ends as any other', async ({ room }) => {
    room.configure();
    const repository = repositoryIn(room.tmux.folder);
    const tree = digestsOf(repository);
    await room.start(repository);
    const paneId = await room.pane('#{pane_id}');
    const receipt = await room.hibernate();
    const asleep = await room.session();
    expect(asleep).toMatchObject({ activity: 'asleep', lifecycle: 'active', agent: { pid: null } });
    const shown = await until(
      'the sleeper tells',
      () => room.tmux.tmux('capture-pane', '-p', '-t', '=worker:'),
      (text) => text.includes('Press Enter'),
    );
    expect(shown).toContain(receipt);
    expect(
      `${shown}${readFileSync(`/proc/${await room.pane('#{pane_pid}')}/cmdline`, 'utf8')}`,
    ).not.toContain(VALUE);

    // Keys that mean nothing to it, and then Enter twice: it wakes once.
    await room.tmux.tmux('send-keys', '-t', '=worker:', 'C-c', 'C-d', 'C-z', 'C-\\');
    await room.tmux.tmux('send-keys', '-t', '=worker:', 'Enter', 'Enter');
    const woken = await room.becomes({ activity: 'idle' });
    expect(woken).toMatchObject({ key: asleep?.key, agent: { conversation: room.conversation } });
    expect(await room.pane('#{pane_id}')).toBe(paneId);
    const pid = Number(await room.pane('#{pane_pid}'));
    expect(variablesOf(pid)).toEqual(expect.arrayContaining([`TOKEN=${VALUE}`, 'CALLER=first']));
    expect(v.parse(wakeDocumentSchema, await room.told('wake', 'worker'))).toMatchObject({ result: 'awake' });
    expect(digestsOf(repository)).toEqual(tree);

    await room.tmux.tmux('send-keys', '-t', '=worker:', '/exit', 'Enter');
    await room.becomes({ lifecycle: 'closed' });
    const log = JSON.stringify(await room.told('log'));
    expect(log).not.toContain(VALUE);
    expect(log.match(/"action":"wake"/g)).toHaveLength(2);
    expect(await room.told('verify')).toMatchObject({ state: 'intact', damage: null });
  });

  test('and wakes when somebody attaches, where that is wanted', async ({ room }) => {
    room.configure({ wake: { onAttach: 'on' } });
    await room.start(room.tmux.folder);
    await room.hibernate();
    const client = spawn('tmux', ['-S', room.tmux.socketPath, '-C', 'attach', '-t', '=worker'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    try {
      const woken = await room.becomes({ activity: 'idle' });
      expect(woken).toMatchObject({ agent: { conversation: room.conversation } });
      await until(
        'nothing is left of that',
        () => room.tmux.tmux('show-hooks', '-t', '=worker:'),
        (hooks) => !hooks.includes('send-keys'),
      );
    } finally {
      client.kill();
    }
  });

  test('and is woken by its receipt', async ({ room }) => {
    room.configure();
    await room.start(room.tmux.folder);
    const receipt = await room.hibernate();
    const woken = v.parse(wakeDocumentSchema, await room.toldAsUser('wake', receipt));
    expect(woken).toMatchObject({
      result: 'woken',
      receipt,
      conversation: room.conversation,
      env: ['TOKEN'],
    });
    await room.becomes({ activity: 'idle' });
  });
});
