import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Cast, GateRoom } from './gate-room.ts';
import { BY_THE_HOOK, expectAll, expectReasons } from './gate-words.ts';
import { NotReached, until } from './until.ts';

/** What the modes do, and that others are left alone. */
export async function playModes(room: GateRoom, { owner, others }: Cast): Promise<void> {
  const { dwelling } = room;
  await room.scene('shadow', async () => {
    await room.rollcall('gate', 'mode', 'shadow', '--json');
    await room.begin(3);
    expectAll('the owner', await room.turn(owner, 'done'), { wentOn: 0 });
    expectAll('its work', await room.work(), { used: 0, wouldHaveUsed: 1, phase: 'open' });
    const last = (await room.stops()).at(-1);
    expectAll('the decision', { verdict: last?.verdict }, { verdict: 'would-block' });
    return 'it stops; would-block is recorded, nothing is used';
  });
  await room.rollcall('gate', 'mode', 'enforce', '--json');
  await room.scene('three others', async () => {
    await room.begin(3);
    const turns = await Promise.all(others.map((actor) => room.turn(actor, 'done')));
    for (const turn of turns) expectAll('another', turn, { wentOn: 0, requests: 1 });
    expectAll("the owner's work", await room.work(), { used: 0, phase: 'open' });
    return 'each stops at once, at the same time; 0 of 3 used';
  });
  await room.scene('until its checks pass, others beside it', async () => {
    await room.begin(3);
    const [own, ...rest] = await Promise.all([
      room.turn(owner, 'mend', `${dwelling.quiet} ${dwelling.work} 2`),
      ...others.map((actor) => room.turn(actor, 'done')),
    ]);
    expectAll('the owner', own ?? {}, { wentOn: 2 });
    for (const turn of rest) expectAll('another', turn, { wentOn: 0, requests: 1 });
    if (!existsSync(join(dwelling.work, 'done.txt'))) throw new NotReached('done.txt is not there');
    expectAll('its work', await room.work(), { used: 2, phase: 'finished', stale: null });
    expectAll('after it', await room.turn(owner, 'done'), { wentOn: 0 });
    return 'kept going twice, then done.txt is there and it ends: finished; three others stop at once beside it';
  });
}

/** How often the owner is kept going, and when it is let go. */
export async function playBudget(room: GateRoom, { owner }: Cast): Promise<void> {
  const { dwelling } = room;
  await room.scene('checks that never pass', async () => {
    await room.begin(3);
    const turn = await room.turn(owner, 'mend', `${dwelling.quiet} ${dwelling.work} 99`);
    expectAll('the owner', turn, { wentOn: 3 });
    const { stale, ...work } = await room.work();
    expectAll('its work', work, { used: 3, phase: 'open' });
    expectAll('stale', { code: stale?.code }, { code: 'budget-spent' });
    return `kept going 3 of 3 times, then let go: ${await lifecycle(room, 'stale')}`;
  });
  await room.scene('nothing changes', async () => {
    await room.begin(3);
    expectAll('the owner', await room.turn(owner, 'shirk'), { wentOn: 1 });
    const { stale, ...work } = await room.work();
    expectAll('its work', work, { used: 1, phase: 'open' });
    expectAll('stale', { code: stale?.code }, { code: 'same-evidence' });
    return `kept going once, then let go: ${await lifecycle(room, 'stale')}`;
  });
  await room.scene('a program as its check', async () => {
    await room.begin(3, 'command:test -e done.txt');
    const turn = await room.turn(owner, 'mend', `${dwelling.quiet} ${dwelling.work} 1`);
    expectAll('the owner', turn, { wentOn: 1 });
    expectAll('its work', await room.work(), { used: 1, phase: 'finished' });
    return 'it is run at the stop: kept going once, then it exits with 0: finished';
  });
  await room.scene('a check that takes too long', async () => {
    await room.begin(3, 'command:sleep 600', '--timeout', '3s');
    expectAll('the owner', await room.turn(owner, 'shirk', '', 10_000), { wentOn: 1 });
    expectAll('its work', await room.work(), { used: 1, phase: 'open' });
    return 'its time over, it counts as missing: kept going once, then let go since nothing has changed';
  });
  await room.scene('interrupted by its user', async () => {
    await room.begin(3);
    room.freshen();
    const tag = await owner.order('stream', '30', { state: 'working', activity: 'working', mayClose: false });
    const isSpeaking = () => room.venue.log.of(tag).some(({ role }) => role !== 'side');
    await until(isSpeaking, 10_000);
    await new Promise((done) => setTimeout(done, 2500));
    await owner.keys(owner.specimen.interruptKeys);
    const turn = await room.ended(tag);
    expectAll('the owner', turn, { wentOn: 0 });
    expectAll('its work', await room.work(), { used: 0, phase: 'open' });
    await owner.keys(owner.specimen.clearKeys);
    return 'it stays stopped, nothing is used';
  });
}

/** What takes the gate away, and what does not. */
export async function playSwitch(room: GateRoom, { owner }: Cast): Promise<void> {
  await room.scene('kill switch', async () => {
    await room.begin(10);
    await room.rollcall('gate', 'off', '--now', '--json');
    const before = (await room.stops()).length;
    expectAll('switched off', await room.turn(owner, 'shirk'), { wentOn: 0 });
    expectReasons((await room.stops()).slice(before), [BY_THE_HOOK, 'switched-off']);
    expectAll('its work', await room.work(), { used: 0, phase: 'open' });
    await room.rollcall('gate', 'on', '--json');
    room.freshen();
    expectAll('switched on again', await room.turn(owner, 'shirk'), { wentOn: 1 });
    expectAll('its work', await room.work(), { used: 1 });
    return 'off: it stops, nothing is used; on: it is kept going';
  });
  await room.scene('mode off', async () => {
    await room.begin(10);
    await room.rollcall('gate', 'mode', 'off', '--json');
    const turn = await room
      .turn(owner, 'shirk')
      .finally(() => room.rollcall('gate', 'mode', 'enforce', '--json'));
    expectAll('the owner', turn, { wentOn: 0 });
    expectAll('its work', await room.work(), { used: 0, phase: 'open' });
    return 'it stops, nothing is used';
  });
  await room.scene('rollcall restarted', async () => {
    await room.begin(10);
    await room.rollcall('up', '--json');
    room.freshen();
    expectAll('with the daemon', await room.turn(owner, 'shirk'), { wentOn: 1 });
    await room.rollcall('down', '--json');
    room.freshen();
    expectAll('without it', await room.turn(owner, 'shirk'), { wentOn: 1 });
    expectAll('its work', await room.work(), { used: 2 });
    return 'kept going beside the daemon and after its end';
  });
}

async function lifecycle(room: GateRoom, wanted: string): Promise<string> {
  let seen = '';
  const isSo = await until(
    async () => {
      const { sessions } = (await room.rollcall('--json', room.ownerName)) as {
        sessions: readonly { lifecycle: string; reasons: readonly { code: string }[] }[];
      };
      const [session] = sessions;
      seen = `${session?.lifecycle} (${session?.reasons[0]?.code})`;
      return session?.lifecycle === wanted;
    },
    20_000,
    500,
  );
  if (!isSo) throw new NotReached(`rollcall says ${seen}, not ${wanted}`);
  return seen;
}
