import { execFile } from 'node:child_process';
import { createActor } from './actor.ts';
import type { Cast, GateRoom } from './gate-room.ts';
import { SHELL } from './gate-room.ts';
import { BY_THE_HOOK, expectAll, expectReasons, reasonsOf } from './gate-words.ts';
import type { AgentKind } from './install.ts';
import { promptFor } from './model/order.ts';
import { NotReached, wait } from './until.ts';

/** How each agent takes up a conversation again, begins another one, and works without a terminal. */
const WAYS: Readonly<
  Record<
    AgentKind,
    {
      resume(command: string, conversation: string): string;
      /** A conversation of its own that begins as a copy; not where the agent has no word for it. */
      fork?(command: string, conversation: string): string;
      readonly afresh: string;
      headless(command: string, prompt: string): readonly string[];
    }
  >
> = {
  claude: {
    resume: (command, id) => `${command} --resume ${id}`,
    fork: (command, id) => `${command} --resume ${id} --fork-session`,
    afresh: '/clear',
    headless: (command, prompt) => [...command.split(' '), '-p', prompt],
  },
  codex: {
    resume: (command, id) => `${command} resume ${id}`,
    fork: (command, id) => `${command} fork ${id}`,
    afresh: '/new',
    headless: (_, prompt) => ['codex', 'exec', prompt],
  },
  gemini: {
    resume: (command, id) => `${command} --resume ${id}`,
    afresh: '/clear',
    headless: (command, prompt) => [...command.split(' '), '-p', prompt],
  },
  opencode: {
    resume: (command, id) => `${command} -s ${id}`,
    afresh: '/new',
    headless: (command, prompt) => [...command.split(' '), 'run', prompt],
  },
};

/** The command line that takes a conversation up again. */
export function resumeIn({ specimen, variant }: GateRoom): (conversation: string) => string {
  return (conversation) => WAYS[specimen.kind].resume(specimen.command(variant), conversation);
}

/** Who is the owner and who only looks like it. The last scenes end the owner's conversation, so they come last. */
export async function playIdentity(room: GateRoom, cast: Cast): Promise<void> {
  const { owner } = cast;
  const way = WAYS[room.specimen.kind];
  const command = room.specimen.command(room.variant);
  await playSubagent(room, cast);
  await playBeside(room);
  await playOutside(room);
  await room.scene('killed and resumed in its pane', async () => {
    const { owner: stamped } = await room.begin(10);
    if (stamped.conversation === null) throw new NotReached('the work has no conversation');
    await room.kill(owner);
    await room.launch(owner, resumeIn(room)(stamped.conversation));
    expectAll('the owner', await room.turn(owner, 'shirk'), { wentOn: 1 });
    const work = await room.work();
    expectAll('its work', work, { used: 1 });
    expectAll('its owner', work.owner, { conversation: stamped.conversation, paneId: stamped.paneId });
    return 'the same conversation is still the owner: kept going once';
  });
  const isNotTheOwner = (name: string, change: () => Promise<void>) =>
    room.scene(name, async () => {
      const before = (await room.stops()).length;
      const { used } = await room.work();
      await change();
      room.freshen();
      expectAll('the new one', await room.turn(owner, 'shirk'), { wentOn: 0, requests: 1 });
      expectAll("the owner's work", await room.work(), { used, phase: 'open' });
      const said = expectReasons((await room.stops()).slice(before), ['another-conversation', 'no-contract']);
      return `it stops, nothing is used: ${said}`;
    });
  const { fork } = way;
  if (fork) {
    await isNotTheOwner('killed and forked in its pane', async () => {
      const { conversation } = (await room.work()).owner;
      if (conversation === null) throw new NotReached('the work has no conversation');
      await room.kill(owner);
      await room.launch(owner, fork(command, conversation));
    });
  }
  await isNotTheOwner(`a new conversation, ${way.afresh}`, async () => {
    await owner.submit(way.afresh);
    await wait(2000);
    // A menu: where the new one shall run, or which command is meant.
    if (['codex', 'opencode'].includes(room.specimen.kind)) await owner.keys(['Enter']);
    await wait(2500);
  });
  await isNotTheOwner('killed and started anew in its pane', async () => {
    await room.kill(owner);
    await room.launch(owner, command);
  });
}

async function playSubagent(room: GateRoom, { owner }: Cast): Promise<void> {
  await room.scene('subagent', async () => {
    await room.begin(10);
    const before = (await room.stops()).length;
    const turn = await room.turn(owner, 'delegate', '2');
    expectAll('its subagent', turn, { subWentOn: 0 });
    if (turn.wentOn !== 1) throw new NotReached(`the owner itself went on ${turn.wentOn} times, not once`);
    expectAll('its work', await room.work(), { used: 1 });
    return `its subagent stops freely, the owner is kept going once: ${reasonsOf((await room.stops()).slice(before))}`;
  });
}

/** A second agent in the same tmux session, and the owner once more beside it. */
async function playBeside(room: GateRoom): Promise<void> {
  const { tmux, dwelling, specimen, variant, venue } = room;
  await room.scene('two agents in one tmux session', async () => {
    await room.begin(10);
    const before = (await room.stops()).length;
    const target = `=${room.ownerName}:`;
    const [pane = ''] = tmux
      .run('split-window', '-P', '-F', '#{pane_id}', '-t', target, '-c', dwelling.work, SHELL)
      .split('\n');
    // It is the active pane of the session now, so that keys go to it.
    tmux.run('resize-pane', '-Z', '-t', pane);
    try {
      const beside = createActor(room.ownerName, specimen, { tmux, log: venue.log });
      await room.launch(beside, specimen.command(variant));
      expectAll('the one beside it', await room.turn(beside, 'done'), { wentOn: 0, requests: 1 });
    } finally {
      tmux.run('kill-pane', '-t', pane);
    }
    expectAll("the owner's work", await room.work(), { used: 0, phase: 'open' });
    // Where a daemon runs the hooks, only the conversation tells.
    const reasons = [BY_THE_HOOK, 'no-contract', 'another-pane', 'another-conversation'];
    return `the second one stops at once, 0 used: ${expectReasons((await room.stops()).slice(before), reasons)}`;
  });
}

/** The same agent without a terminal: once as cron has it, once with the environment of the owner's pane. */
async function playOutside(room: GateRoom): Promise<void> {
  const { tmux, specimen, variant, venue } = room;
  const way = WAYS[specimen.kind];
  const around = () => {
    const [TMUX = '', TMUX_PANE = ''] = tmux
      .run('display-message', '-p', '-t', `=${room.ownerName}:`, '#{socket_path},#{pid},0 #{pane_id}')
      .split(' ');
    return { TMUX, TMUX_PANE };
  };
  const known = ['identity-unknown', 'another-conversation'];
  // A plugin goes with its agent, and that may be before anybody has answered.
  const inherited = specimen.kind === 'opencode' ? [...known, BY_THE_HOOK] : known;
  const plain = [BY_THE_HOOK, 'no-contract', 'identity-unknown'];
  for (const [name, env, reasons] of [
    ['outside tmux', () => ({}), plain],
    ["outside tmux, with the owner's environment", around, inherited],
  ] as const) {
    await room.scene(name, async () => {
      await room.begin(10);
      const before = (await room.stops()).length;
      const tag = `out${name.length}`;
      const prompt = promptFor({ verb: 'done', argument: '', tag });
      await ranFor(room, way.headless(specimen.command(variant), prompt), env());
      const turn = await room.ended(tag);
      expectAll('the one outside', turn, { wentOn: 0 });
      if (venue.log.of(tag).length === 0) throw new NotReached('its order did not reach the model');
      expectAll("the owner's work", await room.work(), { used: 0, phase: 'open' });
      return `it stops at once, 0 used: ${expectReasons((await room.stops()).slice(before), reasons)}`;
    });
  }
}

function ranFor(
  { dwelling }: GateRoom,
  [program = '', ...argv]: readonly string[],
  env: object,
): Promise<void> {
  const options = { cwd: dwelling.work, env: { ...dwelling.env, ...env }, timeout: 60_000 };
  return new Promise((done, fail) => {
    const child = execFile(program, argv, options, (error, stdout, stderr) => {
      if (error === null) done();
      else fail(new NotReached(`${program}: ${`${stderr || stdout || error.message}`.slice(0, 300)}`));
    });
    child.stdin?.end();
  });
}
