import type { Random } from '../../fuzz/random.ts';
import { until } from '../../support/until.ts';
import type { Fate } from './judge.ts';
import type { Ledger } from './ledger.ts';
import { agentPid, type Member } from './member.ts';
import { running } from './processes.ts';
import type { Room } from './room.ts';

/** Of the closed ones so many are put back, in every third batch. */
const REOPENED = 1;

/** Wakes what sleeps and puts back some of what was closed: each goes on with its own conversation, once. */
export async function bringBack(
  room: Room,
  members: readonly Member[],
  fates: ReadonlyMap<Member, Fate>,
  ledger: Ledger,
  random: Random,
): Promise<string[]> {
  const wrongs: string[] = [];
  const isWoken = ({ spec }: Member) => spec.deed === 'sleep-and-wake' || random.oneIn(3);
  const asleep = members.filter((member) => fates.get(member) === 'asleep' && isWoken(member));
  for (const member of asleep) {
    const { code, text, document } = await room.ask('wake', { session: member.key });
    if (code !== 'done' || document.result !== 'woken')
      wrongs.push(`${member.spec.name} does not wake: ${code} ${text} ${document?.result}`);
    else wrongs.push(...(await judgeBack(room, member, document, member.paneId)));
  }
  const lastOf = ({ key }: Member) => ledger.receiptsOf(key).at(-1);
  const closed = members.filter(
    (member) =>
      fates.get(member) === 'closed' &&
      member.spec.program === 'agent' &&
      member.spec.extra === 'none' &&
      // One whose pane somebody moved away has gone without a close: its agent lives on elsewhere.
      lastOf(member)?.result !== 'gone',
  );
  for (let count = 0; count < REOPENED && closed.length > 0 && random.oneIn(3); count += 1) {
    const [member] = closed.splice(random.below(closed.length), 1) as [Member];
    const { code, text, document } = await room.ask('reopen', {
      receipt: lastOf(member)?.receipt,
      onCollision: 'suffix',
    });
    if (code !== 'done') wrongs.push(`${member.spec.name} does not reopen: ${code} ${text}`);
    else wrongs.push(...(await judgeBack(room, member, document, null)));
  }
  for (const { conversation, spec } of members) {
    const agents = running().filter(({ argv }) => argv[0] === '/bin/sh' && argv[3] === conversation);
    if (agents.length > 1) wrongs.push(`${spec.name}: ${agents.length} agents have one conversation`);
  }
  return wrongs;
}

interface Back {
  readonly name: string;
  readonly cwd: string | null;
  readonly conversation?: string | null;
}

async function judgeBack(room: Room, member: Member, back: Back, paneId: string | null): Promise<string[]> {
  const { conversation, spec, file, cwd, label } = member;
  const of = () => running().filter(({ argv }) => argv[0] === '/bin/sh' && argv[3] === conversation);
  const isBack = () => of().some(({ pid }) => pid === agentPid(file));
  const came = await until('it speaks again', isBack).catch(() => false);
  if (!came) return [`${spec.name} was brought back, and does not speak`];
  const wrongs: string[] = [];
  const [agent] = of();
  if (agent?.argv[2] !== `${spec.manner}+${spec.mood}`)
    wrongs.push(`${spec.name} came back as ${agent?.argv.join(' ')}`);
  if (agent !== undefined && !agent.pane.startsWith(`${room.socket(label)} `))
    wrongs.push(`${spec.name} is on another server`);
  if (paneId !== null && agent !== undefined && !agent.pane.endsWith(` ${paneId}`))
    wrongs.push(`${spec.name} woke in another pane`);
  if (back.cwd !== cwd) wrongs.push(`${spec.name} came back in ${back.cwd}`);
  return wrongs;
}
