import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentSign } from '../../src/core/agent/sign.ts';
import type { SessionEntry } from '../../src/core/sight/roll.ts';
import { createNaming } from '../../src/engine/look/naming.ts';
import type { AgentAdapter, AgentReading, AgentScene } from '../../src/ports/agent.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { realLook } from '../support/real-look.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
beforeEach(() => {
  tmux = new PrivateTmux();
});
afterEach(() => tmux.stop());

const NOTHING: AgentReading = { signs: [], gaps: [], failures: [] };
const REST = { turn: 'over', background: 0, waitingFor: null, hasDraft: false, isReady: true } as const;

function sign(scene: { readonly now: number }, over: Partial<AgentSign>): AgentSign {
  return { source: 'agent', observedAt: scene.now, isLive: true, isVerified: true, text: 'told', ...over };
}

/** A look that hears one kind of agent, the program `tester`, as the test says. */
function hearing(adapter: Omit<AgentAdapter, 'kind' | 'recognises'>) {
  const agents: AgentAdapter[] = [
    { kind: 'tester', recognises: ([first = '']) => first.endsWith('/tester'), ...adapter },
  ];
  return realLook([tmux], { confirmMs: 1, idleAfterMs: 1 }, { agents, naming: createNaming(agents) });
}

/** Starts the agent in a session and waits until it runs. */
async function start(look: ReturnType<typeof hearing>, ...command: string[]): Promise<SessionEntry> {
  const program = join(tmux.folder, 'tester');
  copyFileSync('/bin/sleep', program);
  await tmux.session('work', ...(command.length > 0 ? command : [program, '1000']));
  return until(
    'the agent runs',
    () => look.session('work'),
    (entry) => entry.agent?.kind === 'tester',
  );
}

/** What a look says of it once it says so: on a busy machine the first one may come before tmux is done. */
const seenAs = (look: ReturnType<typeof hearing>, activity: SessionEntry['activity']) =>
  until(
    `it is seen as ${activity}`,
    () => look.session('work'),
    (entry) => entry.activity === activity,
  );

describe('an agent in a pane', () => {
  test('is heard with its process, its environment and its pane', async () => {
    const scenes: AgentScene[] = [];
    const look = hearing({
      listen: (scene) => {
        scenes.push(scene);
        return { ...NOTHING, signs: [sign(scene, { turn: 'running', text: 'busy' })], version: '1.2' };
      },
    });
    await start(look);
    const entry = await seenAs(look, 'working');
    expect(entry).toMatchObject({ agent: { kind: 'tester', version: '1.2' } });
    expect(entry.reasons[0]?.text).toBe('its own status says: busy');
    const scene = scenes.at(-1);
    expect(scene).toMatchObject({
      paneId: '%0',
      server: { socketPath: tmux.socketPath, pid: tmux.serverPid },
      agent: { argv: [join(tmux.folder, 'tester'), '1000'], cwd: tmux.folder },
      launchers: [],
    });
    expect(scene?.agent.env()).toMatchObject({ TMUX_PANE: '%0' });
  });

  test('S22: is the innermost of its kind, with its launchers above and its children below', async () => {
    const scenes: AgentScene[] = [];
    const look = hearing({
      listen: (scene) => {
        scenes.push(scene);
        return { ...NOTHING, signs: [sign(scene, { turn: 'running' })] };
      },
    });
    const program = join(tmux.folder, 'tester');
    const inner = `(exec -a /inner/tester sh -c 'sleep 1000 & wait') & wait`;
    await start(look, 'bash', '-c', `exec -a ${program} bash -c "${inner.replaceAll('"', '\\"')}"`);
    const scene = await until(
      'the inner one is heard',
      async () => {
        await look.roll();
        return scenes.at(-1);
      },
      (one) => one?.agent.argv[0] === '/inner/tester' && one.others().length > 0,
    );
    expect(scene?.launchers.map((one) => one.argv[0])).toEqual([program]);
    expect(scene?.others().map((one) => one.argv)).toEqual([['sleep', '1000']]);
  });

  test('that answers late is waited for', async () => {
    const look = hearing({
      listen: async (scene) => {
        await new Promise((resolve) => setImmediate(resolve));
        return { ...NOTHING, signs: [sign(scene, { waitingFor: 'permission' })] };
      },
    });
    await start(look);
    expect(await seenAs(look, 'waiting')).toMatchObject({ waitingFor: 'permission' });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('S33: whose adapter %s is unknown, and says why', async (_, listen) => {
    const look = hearing({ listen });
    await start(look);
    const entry = await seenAs(look, 'unknown');
    expect(entry.reasons.map((reason) => reason.text).join()).toContain('tester could not be heard: broken');
  });

  test('S33: one of whose sources failed is not closable', async () => {
    const failures = [{ source: 'transcript', text: 'torn' }] as const;
    const look = hearing({ listen: (scene) => ({ ...NOTHING, signs: [sign(scene, REST)], failures }) });
    await start(look);
    const entry = await seenAs(look, 'unknown');
    expect(entry.reasons.map((reason) => reason.text).join()).toContain('torn');
  });
});

describe('a server that agents of several panes share', () => {
  test('S11: is none of the pane that started it, nor is what it runs', async () => {
    const look = hearing({
      isShared: (argv) => argv.at(-1) === 'shared-server',
      listen: (scene) => ({ ...NOTHING, signs: [sign(scene, { waitingFor: 'permission' })] }),
    });
    const agent = join(tmux.folder, 'tester');
    const mark = join(tmux.folder, 'server.pid');
    const server = `setsid bash -c 'sleep 1000 & echo $$ > ${mark}; wait' shared-server & wait`;
    await start(look, 'bash', '-c', `exec -a ${agent} bash -c "${server.replaceAll('$', '\\$')}"`);
    const pid = Number(
      await until('the server runs', () => existsSync(mark) && readFileSync(mark, 'utf8').trim()),
    );
    const entry = await seenAs(look, 'waiting');
    process.kill(-pid, 'SIGKILL');
    const processes = entry.evidence.flatMap((one) => (one.kind === 'processes' ? one.processes : []));
    expect(processes.map((note) => note.role)).toEqual(['agent']);
  });

  test('is the pane’s own where a person started it', async () => {
    const look = hearing({ isShared: (argv) => argv.at(-1) === 'shared-server' });
    await tmux.session('own', 'bash', '-c', 'sleep 1000; :', 'shared-server');
    const entry = await until(
      'it is seen at work',
      () => look.session('own'),
      ({ activity }) => activity === 'working',
    );
    expect(entry.agent).toBeNull();
  });
});

describe('the screen of an agent', () => {
  test('is read where nothing else tells, and only there', async () => {
    let captures = 0;
    const screens: string[] = [];
    const adapter = (told: Partial<AgentSign> | null) => ({
      listen: (scene: AgentScene) => ({ ...NOTHING, signs: told ? [sign(scene, told)] : [] }),
      readScreen: (screen: { readonly lines: readonly string[]; readonly observedAt: number }) => {
        captures += 1;
        screens.push(screen.lines[0] ?? '');
        return sign({ now: screen.observedAt }, { source: 'screen', ...REST, text: 'a prompt' });
      },
    });
    const program = join(tmux.folder, 'tester');
    const look = hearing(adapter(null));
    await start(look, 'sh', '-c', `echo ready; ${program} 1000; :`);
    const entry = await until(
      'what it takes to begin is over',
      () => look.session('work'),
      // The program may be there before tmux has read what was printed.
      ({ activity }) => activity === 'idle' && screens.at(-1) === 'ready',
    );
    expect(entry).toMatchObject({ reasons: [{}, { source: 'screen' }] });
    captures = 0;
    const working = await hearing(adapter({ turn: 'running' })).session('work');
    expect([working.activity, captures]).toEqual(['working', 0]);
  });

  test('S15: is read where only the transcript tells of work, which would not show a dialog', async () => {
    const look = hearing({
      listen: (scene) => ({
        ...NOTHING,
        signs: [sign(scene, { source: 'transcript', isLive: false, since: scene.now, turn: 'running' })],
      }),
      readScreen: ({ observedAt }) =>
        sign({ now: observedAt }, { source: 'screen', waitingFor: 'permission' }),
    });
    await start(look);
    expect(await seenAs(look, 'waiting')).toMatchObject({ waitingFor: 'permission' });
  });

  test('S16: with a draft on it blocks the closing of an idle agent', async () => {
    const { hasDraft: _, isReady: __, ...seen } = REST;
    const adapter = (hasDraft: boolean) => ({
      listen: (scene: AgentScene): AgentReading => ({
        ...{ ...NOTHING, signs: [sign(scene, seen)], resume: ['tester'], conversation: 'c' },
      }),
      readScreen: ({ observedAt }: { readonly observedAt: number }) =>
        sign({ now: observedAt }, { source: 'screen', hasDraft, isReady: true }),
    });
    const look = hearing(adapter(false));
    await start(look);
    await until(
      'it may go',
      () => look.session('work'),
      (entry) => entry.lifecycle === 'safe-to-close',
    );
    const drafted = hearing(adapter(true));
    await drafted.session('work');
    const entry = await until(
      'only the draft is in the way',
      () => drafted.session('work'),
      ({ blockers }) => blockers.length === 1,
    );
    expect(entry.blockers.map(({ code }) => code)).toEqual(['nothing-unsent']);
  });
});

describe('a screen on which nothing is understood', () => {
  test('is not read again before something is written to it', async () => {
    let reads = 0;
    const look = hearing({
      listen: () => NOTHING,
      readScreen: () => {
        reads += 1;
        return null;
      },
    });
    const pipe = join(tmux.folder, 'pipe');
    const program = join(tmux.folder, 'tester');
    await start(
      look,
      'bash',
      '-c',
      `mkfifo ${pipe}; exec -a ${program} bash -c 'while :; do cat ${pipe}; done'`,
    );
    // tmux tells the time of output in whole seconds, so the first ones cannot be told from later output.
    const settled = async () => {
      const before = reads;
      await look.roll();
      return reads === before && before > 0;
    };
    await until('it is left alone', settled, (isLeft) => isLeft);
    writeFileSync(pipe, 'more');
    const before = reads;
    await until(
      'it is read again',
      async () => {
        await look.roll();
        return reads;
      },
      (now) => now > before,
    );
  });
});
