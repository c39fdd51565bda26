import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gate as opencodeGate } from '../../../src/adapters/agents/opencode/gate.ts';
import { opencodePlugin } from '../../../src/adapters/hook-config/opencode-plugin.ts';
import { readEvent } from '../../../src/adapters/spool/read-event.ts';
import { until } from '../../support/until.ts';

type Hook = (...input: unknown[]) => Promise<unknown>;
type Call = { readonly path: { readonly id: string }; readonly body: Record<string, unknown> };

const SES = 'ses_1abc';
const OWNED = 'rollcall-owners=1\npane 66 %3\npane 77 %3\n';
const BLOCK = '{"decision":"block","reason":"two tests fail"}';

let loaded = 0;
let folder: string;
let prompts: Call[];
let parent: string | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-plugin-gate-'));
  mkdirSync(join(folder, 'spool'), { mode: 0o700 });
  mkdirSync(join(folder, 'gate/stops'), { recursive: true, mode: 0o700 });
  owners(OWNED);
  answers(`rm "$2/stops/$3"; echo '${BLOCK}'; exit 10`);
  prompts = [];
  parent = undefined;
  vi.stubEnv('TMUX', '/tmp/tmux-1000/default,77,0');
  vi.stubEnv('TMUX_PANE', '%3');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const owners = (text: string) => writeFileSync(join(folder, 'gate/owners'), text);
const answers = (lines: string) =>
  writeFileSync(
    join(folder, 'program.sh'),
    `printf '%s\\n' "$*" >>'${folder}/asked'; cp "$2/stops/$3" '${folder}/seen'\n${lines}\n`,
  );
const asked = () =>
  existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8').trimEnd().split('\n') : [];
const told = () => readdirSync(join(folder, 'spool')).length;

const client = {
  session: {
    get: async ({ path: { id } }: Call) => ({ data: { id, parentID: parent } }),
    promptAsync: async (call: Call): Promise<unknown> => {
      prompts.push(call);
      return {};
    },
  },
};

/** It leaves rollcall less than two seconds for its first answer, which a busy machine may need for a shell. */
function patient(plugin: string): string {
  const text = plugin.replace('run(name, 1700, [])', 'run(name, 60_000, [])');
  if (text === plugin) throw new Error('the plugin has another limit of time');
  return text;
}

async function load(
  given: unknown = { client },
  parts = {},
  limit: (plugin: string) => string = patient,
): Promise<Record<string, Hook>> {
  loaded += 1;
  // A module is loaded once by its name.
  const file = join(folder, `rollcall-${loaded}.mjs`);
  const opencode = ['session.idle', 'session.error', 'session.created', 'chat.message', 'dispose'];
  const events = { claude: [], codex: [], gemini: [], opencode };
  const gate = {
    folder: join(folder, 'gate'),
    node: '/bin/sh',
    program: join(folder, 'program.sh'),
    ...parts,
  };
  writeFileSync(file, limit(opencodePlugin({ spoolFolder: join(folder, 'spool'), events, gate })));
  const made = (await import(pathToFileURL(file).href)) as Record<string, (input: unknown) => Promise<never>>;
  const [plugin] = Object.values(made);
  if (plugin === undefined) throw new Error('no plugin');
  return plugin(given);
}

const event = (hooks: Record<string, Hook>, type: string, properties: object) =>
  hooks.event?.({ event: { type, properties } });
const idle = (hooks: Record<string, Hook>) => event(hooks, 'session.idle', { sessionID: SES });
const say = (hooks: Record<string, Hook>, id: string, message: object = {}) =>
  hooks['chat.message']?.({ sessionID: SES }, { message: { id, ...message } });
/** What is not to happen has had every chance to: the program that would be asked takes a few milliseconds. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 150));

describe('the end of a turn in opencode', () => {
  it('S53: of the owner asks rollcall beside it, and is followed by a prompt of the same agent and model', async () => {
    const hooks = await load();
    const model = { providerID: 'p', modelID: 'm', variant: 'high' };
    await say(hooks, 'msg_1', { agent: 'plan', model });
    await idle(hooks);
    await until('it is prompted', () => prompts.length === 1);
    const body = {
      agent: 'plan',
      model: { providerID: 'p', modelID: 'm' },
      parts: [{ type: 'text', text: 'two tests fail' }],
    };
    expect(prompts).toEqual([{ path: { id: SES }, body }]);
    expect(asked()).toEqual([expect.stringMatching(`^__stop ${folder}/gate \\d{16}\\.[\\d.]+$`)]);
    expect({ told: told(), left: readdirSync(join(folder, 'gate/stops')) }).toEqual({ told: 2, left: [] });
  });

  it('tells the gate what it understands: whose turn, and whether the gate began it', async () => {
    const hooks = await load();
    await say(hooks, 'msg_1');
    await idle(hooks);
    await until('it is prompted', () => prompts.length === 1);
    expect(seen()).toEqual({ conversation: SES, isSubagent: false, isContinued: false, transcript: null });
    await say(hooks, 'msg_2');
    await idle(hooks);
    await until('it is prompted again', () => prompts.length === 2);
    expect(seen()).toMatchObject({ isContinued: true });
    await say(hooks, 'msg_3');
    await say(hooks, 'msg_4');
    await idle(hooks);
    await until('it is prompted again', () => prompts.length === 3);
    expect(seen()).toMatchObject({ isContinued: false });
  });

  it('is asked about once, however often opencode says so', async () => {
    const hooks = await load();
    await say(hooks, 'msg_1');
    await idle(hooks);
    await idle(hooks);
    await until('it is prompted', () => prompts.length === 1);
    await idle(hooks);
    await settled();
    expect(asked()).toHaveLength(1);
  });

  it.each([
    ['in a pane that owns nothing', () => owners('rollcall-owners=1\npane 77 %33\n'), 'opencode 77 %3\n'],
    ['outside tmux', () => vi.stubEnv('TMUX', ''), 'opencode\n'],
    ['with an empty pane', () => vi.stubEnv('TMUX_PANE', ''), 'opencode\n'],
    ['with owners in another form', () => owners('rollcall-owners=2\npane 77 %3\n'), 'opencode 77 %3\n'],
    ['without a file of owners', () => rmSync(join(folder, 'gate/owners')), null],
    ['without a gate', () => rmSync(join(folder, 'gate'), { recursive: true }), null],
    ['while the switch is off', () => writeFileSync(join(folder, 'gate/off'), ''), null],
    ['without a place for stops', () => rmSync(join(folder, 'gate/stops'), { recursive: true }), null],
  ])('S53: passes %s', async (_where, arrange, passed) => {
    arrange();
    const hooks = await load();
    await say(hooks, 'msg_1');
    await idle(hooks);
    await settled();
    const noted = join(folder, 'gate/passed');
    expect({
      asked: asked(),
      prompts,
      told: told(),
      passed: existsSync(noted) ? readFileSync(noted, 'utf8') : null,
    }).toEqual({ asked: [], prompts: [], told: 2, passed });
  });

  it.each([
    [
      'that a person interrupted',
      (hooks: Record<string, Hook>) => event(hooks, 'session.error', { sessionID: SES }),
    ],
    [
      'of a subagent that was made here',
      (hooks: Record<string, Hook>) =>
        event(hooks, 'session.created', { info: { id: SES, parentID: 'ses_0' } }),
    ],
    [
      'of a subagent that was made before',
      () => {
        parent = 'ses_0';
      },
    ],
  ])('S53: passes at the end of a turn %s', async (_what, arrange) => {
    const hooks = await load();
    await say(hooks, 'msg_1');
    await arrange(hooks);
    await idle(hooks);
    await settled();
    expect({ asked: asked(), prompts }).toEqual({ asked: [], prompts: [] });
  });

  it('counts no subagent among those who own nothing', async () => {
    owners('rollcall-owners=1\npane 77 %33\n');
    const hooks = await load();
    await event(hooks, 'session.created', { info: { id: SES, parentID: 'ses_0' } });
    await say(hooks, 'msg_1');
    await idle(hooks);
    expect(existsSync(join(folder, 'gate/passed'))).toBe(false);
  });

  it('passes where nobody asked for anything', async () => {
    await idle(await load());
    await settled();
    expect(asked()).toEqual([]);
  });

  it.each([
    ['approves', 'exit 0'],
    ['approves with an answer', `echo '${BLOCK}'; exit 0`],
    ['crashes', 'kill -SEGV $$'],
    ['blocks with garbage', 'echo go on; exit 10'],
    ['blocks without a reason', `echo '{"decision":"block"}'; exit 10`],
    ['asks for time that is no number', 'echo 5s; exit 11'],
    ['asks for ever', 'echo 601; exit 11'],
  ])('S53: is let be by a rollcall that %s', async (_what, lines) => {
    answers(lines);
    const hooks = await load();
    await say(hooks, 'msg_1');
    await idle(hooks);
    await until('it was asked', () => asked().length === 1);
    await until('it has ended', () => readdirSync(join(folder, 'gate/stops')).length === 0);
    await settled();
    expect({ asked: asked().length, prompts, told: told() }).toEqual({ asked: 1, prompts: [], told: 2 });
  });

  it('S53: is let be where there is no Node, no client, or a client that fails', async () => {
    for (const [given, parts] of [
      [{ client }, { node: '/nowhere/node' }],
      [null, {}],
      [{ client: { session: { get: async () => Promise.reject(new Error('no')) } } }, {}],
      [{ client: { session: { get: () => new Promise(() => {}) } } }, {}],
      [
        {
          client: {
            session: { ...client.session, promptAsync: async () => Promise.reject(new Error('no')) },
          },
        },
        {},
      ],
    ] as const) {
      const hooks = await load(given, parts);
      await say(hooks, 'msg_1');
      await idle(hooks);
    }
    await settled();
    expect(prompts).toEqual([]);
  });

  it('S53: ends a rollcall that hangs, with what it started, and lets the session be', async () => {
    answers(`trap "" 1 2 15; sleep 60 & echo $$ >'${folder}/pid'; wait; wait`);
    const hooks = await load({ client }, {}, (plugin) => plugin);
    const isOver = () => readdirSync(join(folder, 'gate/stops')).length === 0;
    let turn = 0;
    await until('it hangs before its time is up', async () => {
      turn += 1;
      await say(hooks, `msg_${turn}`);
      await idle(hooks);
      // By then it is asked.
      await new Promise(setImmediate);
      await until('its event is gone', isOver);
      return existsSync(join(folder, 'pid'));
    });
    await until('it is ended', () => !isAlive());
    expect(prompts).toEqual([]);
  });

  it('gives checks the time that was asked for', async () => {
    answers(`[ "$4" = run ] || { echo 60; exit 11; }; echo '${BLOCK}'; exit 10`);
    const hooks = await load();
    await say(hooks, 'msg_1');
    await idle(hooks);
    await until('it is prompted', () => prompts.length === 1);
    expect(asked().map((line) => line.split(' ')[3])).toEqual([undefined, 'run']);
  });

  it('S53: lets a person go first who asks for something while checks run', async () => {
    answers(`while [ ! -e '${folder}/go' ]; do sleep 0.02; done; echo '${BLOCK}'; exit 10`);
    const hooks = await load();
    await say(hooks, 'msg_1');
    await idle(hooks);
    await until('it is asked', () => asked().length === 1);
    await say(hooks, 'msg_2');
    writeFileSync(join(folder, 'go'), '');
    await until('its event is gone', () => readdirSync(join(folder, 'gate/stops')).length === 0);
    await settled();
    expect(prompts).toEqual([]);
  });

  it('ends what runs for it when opencode ends', async () => {
    answers(`echo $$ >'${folder}/pid'; [ "$4" = run ] || { echo 60; exit 11; }; sleep 60`);
    const hooks = await load();
    await say(hooks, 'msg_1');
    await idle(hooks);
    await until('checks run', () => asked().length === 2 && isAlive());
    await hooks.dispose?.();
    await until('they are ended', () => !isAlive());
    expect(readdirSync(join(folder, 'gate/stops'))).toEqual([]);
  });

  it('waits for nothing that is no file in the place of the gate’s files', async () => {
    owners('rollcall-owners=1\n');
    execFileSync('mkfifo', [join(folder, 'gate/passed')]);
    const hooks = await load();
    await say(hooks, 'msg_1');
    await idle(hooks);
    rmSync(join(folder, 'gate/owners'));
    execFileSync('mkfifo', [join(folder, 'gate/owners')]);
    await say(hooks, 'msg_2');
    await idle(hooks);
    expect(asked()).toEqual([]);
  });
});

function seen() {
  const name = /end=(\S+)\n$/.exec(readFileSync(join(folder, 'seen'), 'utf8'))?.[1] ?? '';
  writeFileSync(join(folder, name), readFileSync(join(folder, 'seen')));
  const { mtimeNs: modifiedNs, size } = statSync(join(folder, name), { bigint: true });
  const read = readEvent(folder, { name, modifiedNs, size }, process.getuid?.() ?? 0);
  return read.state === 'event' ? opencodeGate.read(read.payload) : read.state;
}

function isAlive(): boolean {
  try {
    const pid = readFileSync(join(folder, 'pid'), 'utf8').trim();
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
