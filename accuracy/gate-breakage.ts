import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Doctoring, HookFile } from './gate-hook.ts';
import { hookFileIn } from './gate-hook.ts';
import type { Cast, GateRoom } from './gate-room.ts';
import { BY_THE_HOOK, expectAll, expectReasons } from './gate-words.ts';
import { NotReached } from './until.ts';

/** A hung rollcall approves within two seconds; the rest is what the shell and a loaded machine take. */
const HUNG_MS = 2600;

type Wrap = (work: () => Promise<string>) => Promise<string>;

/** Has the owner stop in some adverse way: it has to get away, for one of these reasons, and nothing may be used. */
export async function stopsFreely(
  room: GateRoom,
  { owner }: Cast,
  name: string,
  reasons: readonly string[],
  how: Wrap,
): Promise<void> {
  await room.scene(name, async () => {
    const { used } = await room.begin(10);
    const before = (await room.stops()).length;
    return how(async () => {
      expectAll('the owner', await room.turn(owner, 'shirk'), { wentOn: 0, requests: 1 });
      expectAll('its work', await room.work(), { used, phase: 'open' });
      return `it stops, nothing is used: ${expectReasons((await room.stops()).slice(before), reasons)}`;
    });
  });
}

/** Events that are not what they should be, and hooks that cannot do their part: every one of them approves. */
export async function playBreakage(room: GateRoom, cast: Cast): Promise<void> {
  const { owner } = cast;
  const hook = hookFileIn(room.dwelling);
  const free = (name: string, reasons: readonly string[], how: Wrap) =>
    stopsFreely(room, cast, name, reasons, how);
  const doctored = (name: string, how: Doctoring, ...reasons: string[]) =>
    free(name, reasons, (work) => hook.doctored(how, work));
  await doctored('empty session id', 'empty', 'identity-unknown', 'no-contract');
  await doctored('rotated session id', 'rotated', 'another-conversation', 'no-contract');
  await doctored('half a payload', 'garbage', 'payload-unreadable');
  // Where a daemon runs the hooks, what they have of tmux is another pane's anyway.
  if (!room.variant.isDaemon) {
    await free('a hook without tmux around it', [BY_THE_HOOK, 'identity-unknown'], async (work) => {
      const seen = await hook.doctored('untmuxed', work);
      // An agent's conversation may be known from its hooks only, and the last of them told of no pane.
      await room.turn(owner, 'done');
      return seen;
    });
  }
  await free('hook file deleted', [BY_THE_HOOK], (work) => hook.deleted(work));
  await free('rollcall not there any more', [BY_THE_HOOK], (work) =>
    hook.calling(join(room.dwelling.folder, 'bin', 'no-such-rollcall.cjs'), work),
  );
  await free('rollcall hangs', [BY_THE_HOOK], (work) => hangs(room, hook, work));
  await room.scene('two hooks on one stop', async () => {
    await room.begin(10);
    const turn = await hook.doctored('twice', () => room.turn(owner, 'shirk'));
    expectAll('the owner', turn, { wentOn: 1 });
    expectAll('its work', await room.work(), { used: 1 });
    return 'kept going once, 1 used';
  });
  await room.scene('the hook as it was', async () => {
    await room.begin(10);
    const turn = await hook.doctored('timed', () => room.turn(owner, 'shirk'));
    expectAll('the owner', turn, { wentOn: 1 });
    return `kept going, then let go; the last hook took ${Math.round(hook.lastTook())} ms`;
  });
}

/** A program that takes rollcall's place and never ends. */
export function hungProgram({ dwelling }: GateRoom): string {
  const program = join(dwelling.folder, 'bin', 'hung.cjs');
  writeFileSync(program, 'setInterval(() => {}, 1000);\n');
  return program;
}

function hangs(room: GateRoom, hook: HookFile, work: () => Promise<string>): Promise<string> {
  return hook.calling(hungProgram(room), () =>
    hook.doctored('timed', async () => {
      const seen = await work();
      const took = hook.lastTook();
      if (took > HUNG_MS) throw new NotReached(`the hook took ${Math.round(took)} ms`);
      return `${seen}; after ${Math.round(took)} ms`;
    }),
  );
}
