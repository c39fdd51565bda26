import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, randomFrom } from '../../fuzz/random.ts';
import { until } from '../../support/until.ts';
import { bringBack } from './bring-back.ts';
import { type Done, deed, deedsTogether, verbOf } from './deeds.ts';
import { differences, fingerprint } from './git-trees.ts';
import { type Fate, judge } from './judge.ts';
import { judgeLedger, readLedger } from './ledger.ts';
import { endEverything, leftBehind, serverState } from './leftovers.ts';
import type { Member } from './member.ts';
import { Neighbours } from './neighbours.ts';
import { Room } from './room.ts';
import { inParts, labelOf, setUp } from './set-up.ts';
import { REAPING } from './settings.ts';
import { type Spec, SWEEPS, type Sweep, specsFor } from './spec.ts';
import { standings } from './standing.ts';
import { againstReaper, againstSettling } from './truth.ts';

/** One batch, wholly decided by its seed. */
export interface Plan {
  readonly seed: string;
  readonly size: number;
}

/** What was counted in a batch, and what was wrong. */
export interface Told {
  readonly seed: string;
  readonly sessions: number;
  readonly fates: Readonly<Record<Fate, number>>;
  /** How often something was the case, by its name. */
  readonly counts: Record<string, number>;
  readonly wrongs: string[];
}

/** Where a batch is played. */
export interface Ground {
  /** A folder of its own. */
  readonly folder: string;
  /** The folder of the built program. */
  readonly program: string;
  /** Work trees to copy. */
  readonly trees: string;
  /** Has the kernel say that memory is short, or not; null where nobody can. */
  readonly shortOfMemory: ((isShort: boolean) => void) | null;
}

/** Makes sessions, has rollcall act on them, and judges by what they were made to be. */
export async function playBatch(ground: Ground, { seed, size }: Plan): Promise<Told> {
  const random = randomFrom('sessions', seed);
  const servers = random.oneIn(5) ? 2 : 1;
  const sweep = sweepFor(random, ground);
  const specs = specsFor(random, size, servers, sweep);
  const settings = sweep === 'reaper' ? { ...REAPING, daemon: { port: 0, http: 'off', settle: 'off' } } : {};
  const room = new Room(ground.folder, ground.program, settings);
  await room.sh(`cp -a ${ground.trees} trees
    echo "gitdir: $PWD/trees/clean/.git/worktrees/worktree" > trees/worktree/.git
    echo "$PWD/trees/worktree/.git" > trees/clean/.git/worktrees/worktree/gitdir`);
  const trees = fingerprint(join(room.folder, 'trees'));
  const neighbours = await Neighbours.settle(
    room,
    random.oneIn(4),
    Array.from({ length: servers }, (_, index) => labelOf(index)),
  );
  const servedBefore = await serverState(room);
  const members = await setUp(room, specs);
  writeFileSync(join(room.folder, 'specs.json'), JSON.stringify({ seed, sweep, members }, null, 1));
  await untilSure();
  const before = await standings(room, members);
  for (const member of members) member.before = before.get(member) ?? member.before;
  const dones = await act(room, ground, members, sweep, random);
  const after = await standings(room, members);
  const ledger = await readLedger(room);
  const wrongs: string[] = judgeLedger(ledger, members);
  const fates = new Map<Member, Fate>();
  for (const member of members) {
    const done = dones.get(member) ?? null;
    const judged = judge({
      ...{ member, done, sweep, after: after.get(member) ?? member.before },
      recorded: { receipts: ledger.receiptsOf(member.key) },
    });
    fates.set(member, judged.fate);
    wrongs.push(...judged.wrongs.map((text) => `${member.spec.name} (${member.conversation}): ${text}`));
  }
  writeFileSync(join(room.folder, 'done.json'), JSON.stringify([...dones.values()].map(shortOf), null, 1));
  wrongs.push(...(await neighbours.harmed()));
  wrongs.push(...(await bringBack(room, members, fates, ledger, random)));
  wrongs.push(...(await verify(room)));
  wrongs.push(...(await leftBehind(room, servedBefore)));
  wrongs.push(...(await endEverything(room, neighbours)));
  const changed = differences(trees, fingerprint(join(room.folder, 'trees')));
  if (changed.length > 0) wrongs.push(`work trees are not as they were: ${changed}`);
  return { seed, sessions: size, fates: countOf(fates), counts: countsOf(members, dones, sweep), wrongs };
}

/** Of a hundred batches, up to which number each is one of these. */
const DRAWN = [72, 90, 96, 100];

function sweepFor(random: Random, { shortOfMemory }: Ground): Sweep {
  const drawn = random.below(100);
  const sweep = SWEEPS[DRAWN.findIndex((part) => drawn < part)] ?? 'none';
  return sweep === 'reaper' && shortOfMemory === null ? 'due' : sweep;
}

/** An agent is sure to rest once it was seen so for a while: by the last look of all that was set up, and the next. */
async function untilSure(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1050));
}

async function act(
  room: Room,
  { shortOfMemory }: Ground,
  members: readonly Member[],
  sweep: Sweep,
  random: Random,
): Promise<Map<Member, Done>> {
  const isDaemon = sweep === 'daemon' || sweep === 'reaper';
  if (sweep === 'reaper') {
    await must(room, 'reap', 'mode', 'enforce');
    shortOfMemory?.(true);
  }
  // A daemon is there from the beginning, or comes when people have done what they do.
  const isEarly = isDaemon && random.oneIn(2);
  if (isEarly) await must(room, 'up');
  const dones = new Map<Member, Done>();
  const acting = members.filter(({ spec }) => spec.deed !== 'none');
  // Most in one command for all of them, as a person would; whoever is interrupted, by the library and one by one.
  const isTogether = ({ spec }: Member) => spec.incident === 'none' && spec.isByCommand;
  const together = ['close', 'hibernate'].map(async (verb) => {
    const asked = acting.filter((one) => isTogether(one) && verbOf(one) === verb);
    for (const done of await deedsTogether(room, verb, asked, members)) dones.set(done.member, done);
  });
  const alone = acting.filter((one) => !isTogether(one) || verbOf(one) === null);
  await Promise.all([
    ...together,
    inParts(alone, async (member) => void dones.set(member, await deed(room, member, members))),
  ]);
  if (sweep === 'due') await must(room, 'close', '--due');
  if (!isDaemon) return dones;
  if (!isEarly) await must(room, 'up');
  const expected = members.filter((member) => isTaken(member.spec, sweep, dones.get(member)));
  const isOver = async () => {
    const ledger = await readLedger(room);
    return expected.filter(({ key }) => ledger.receiptsOf(key).length === 0).map(({ spec }) => spec.name);
  };
  // What is not taken in that time is told by the judge.
  await until('the daemon has done its work', isOver, (left) => left.length === 0, 90_000, 500).catch(
    () => {},
  );
  await must(room, 'down');
  shortOfMemory?.(false);
  return dones;
}

/** Whether a daemon has to take it, unless somebody was quicker. */
function isTaken(spec: Spec, sweep: Sweep, done: Done | undefined): boolean {
  const against = sweep === 'reaper' ? againstReaper(spec) : againstSettling(spec);
  return against.length === 0 && (done === undefined || done.result === 'refused');
}

async function must(room: Room, ...argv: string[]): Promise<void> {
  const { exitCode, stdout, stderr } = await room.command(...argv);
  if (exitCode !== 0) throw new Error(`rollcall ${argv.join(' ')}: ${exitCode} ${stdout}${stderr}`);
}

async function verify(room: Room): Promise<string[]> {
  const { exitCode, stdout, stderr } = await room.command('verify', '--json');
  if (exitCode !== 0) return [`verify: ${stdout}${stderr}`];
  const { openIntents, archives } = JSON.parse(stdout);
  if (openIntents.length > 0) return [`intents without an outcome: ${openIntents}`];
  return archives.gone > 0 ? [`${archives.gone} archives are gone`] : [];
}

function shortOf({ member, ...done }: Done) {
  return { name: member.spec.name, conversation: member.conversation, ...done };
}

function countOf(fates: ReadonlyMap<Member, Fate>): Record<Fate, number> {
  const counts = { kept: 0, closed: 0, asleep: 0 };
  for (const fate of fates.values()) counts[fate] += 1;
  return counts;
}

function countsOf(members: readonly Member[], dones: ReadonlyMap<Member, Done>, sweep: Sweep) {
  const counts: Record<string, number> = {};
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const member of members) {
    const { spec } = member;
    count(`program ${spec.program}`);
    count(`mood ${spec.mood}`);
    count(`care ${spec.care}`);
    count(`tree ${spec.tree}`);
    count(`people ${spec.people}`);
    count(`sweep ${sweep}`);
    const done = dones.get(member);
    if (done === undefined) continue;
    count(`deed ${spec.deed}`);
    count(`result ${spec.deed} ${done.result}`);
    if (done.happened.what !== 'none')
      count(`incident ${done.happened.what}${done.happened.doneAt === null ? ', too late' : ''}`);
  }
  return counts;
}
