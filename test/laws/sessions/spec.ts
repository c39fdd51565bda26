import type { Random } from '../../fuzz/random.ts';

/** What a session of the play is, by construction: whatever rollcall is asked about it is judged by this alone. */
export interface Spec {
  readonly name: string;
  /** Which of the batch's servers it is on. */
  readonly server: number;
  /** `ended`: an agent that has left, and its shell; `job`: a program that runs; `dead`: a pane whose program has ended. */
  readonly program: 'agent' | 'ended' | 'shell' | 'job' | 'dead';
  /** What its agent does at /exit: leaves, or answers and stays until SIGTERM. */
  readonly manner: 'leaves' | 'stays';
  readonly mood: (typeof MOODS)[number];
  /** A shell waits behind the agent. */
  readonly hasShell: boolean;
  /** Of a dead pane. */
  readonly status: number;
  readonly care: 'run' | 'adopted' | 'foreign';
  readonly outcome: 'none' | 'done' | 'failed';
  readonly role: (typeof ROLES)[number];
  readonly wish: 'none' | 'hold' | 'retain' | 'pattern';
  readonly people: 'none' | 'attached' | 'left' | 'reading';
  /** Another pane or window, and what is in it. */
  readonly extra: 'none' | 'shell' | 'work' | 'window';
  readonly isGrouped: boolean;
  readonly tree: (typeof TREES)[number];
  readonly deed: (typeof DEEDS)[number];
  readonly incident: (typeof INCIDENTS)[number] | 'none';
  /** When somebody comes in between, from the begin of the deed on. */
  readonly delayMs: number;
  /** The deed is done by the built command, and not by the library. */
  readonly isByCommand: boolean;
}

/** What an agent is up to; only the first is rest. */
export const MOODS = ['idle', 'working', 'waiting', 'drafted', 'background', 'job', 'child'] as const;
/** `soon`: due once it is complete; `later`: after an hour; `kept`: never; `strict`: only with all work pushed. */
export const ROLES = ['soon', 'later', 'kept', 'strict'] as const;
/** What git knows of the folder; in `none` there is no repository. */
export const TREES = ['none', 'clean', 'worktree', 'changed', 'untracked', 'unpushed', 'stashed'] as const;
/** What is done to it by name. */
export const DEEDS = ['none', 'close', 'hibernate', 'sleep-and-wake', 'hold', 'retain'] as const;
/** What a person or an agent does in the middle of that. */
export const INCIDENTS = [
  ...([
    'draft',
    'turn',
    'hold',
    'attach',
    'rename',
    'move',
    'split',
    'ends',
    'copy-mode',
    'command',
  ] as const),
] as const;

/** What goes on around the deeds: nothing more, `close --due`, a daemon that settles, or one that reaps under pressure. */
export const SWEEPS = ['none', 'due', 'daemon', 'reaper'] as const;
export type Sweep = (typeof SWEEPS)[number];

const LONGEST_DELAY_MS = 1200;

const WISHES = ['hold', 'retain', 'pattern'] as const;
const PLAIN_WISHES = ['pattern', 'pattern', 'hold'] as const;

/** Names that a careless target would take for another session, an id, a pattern or a format. */
const ODD = ['=odd', '$1', '%3', '@1', 'a b', '*', '[ab]', 'ünï', '#S', '~x', '{last}', '^', "it's", '"q"'];

/** The sessions of one batch. */
export function specsFor(random: Random, count: number, servers: number, sweep: Sweep): Spec[] {
  const taken = new Set<string>();
  return Array.from({ length: count }, () => {
    const server = random.below(servers);
    const wishes = sweep === 'none' ? PLAIN_WISHES : WISHES;
    const wish = random.oneIn(6) ? random.pick(wishes) : 'none';
    const make = () => (wish === 'pattern' ? `crew-${nameFor(random)}` : nameFor(random));
    let name = make();
    while (taken.has(`${server} ${name}`)) name = make();
    taken.add(`${server} ${name}`);
    return specFor(random, { name, server, wish }, sweep);
  });
}

function nameFor(random: Random): string {
  if (random.oneIn(12)) return random.pick(ODD);
  const stem = random.pick(['agent', 'agent-1', 'fix', 'w']);
  return random.oneIn(10) ? stem : `${stem}-${random.below(40)}`;
}

// Under another name the pattern protects it no longer.
function incidentsFor({ wish }: Pick<Spec, 'wish'>): readonly Spec['incident'][] {
  return wish === 'pattern' ? INCIDENTS.filter((name) => name !== 'rename') : INCIDENTS;
}

function deedFor(random: Random, sweep: Sweep): Spec['deed'] {
  const drawn = random.below(100);
  if (sweep !== 'none')
    return drawn < 85 ? 'none' : random.pick(['close', 'close', 'hibernate', 'hold', 'retain'] as const);
  if (drawn < 60) return 'close';
  return drawn < 68 ? random.pick(['hibernate', 'sleep-and-wake', 'hold'] as const) : 'none';
}

function specFor(random: Random, given: Pick<Spec, 'name' | 'server' | 'wish'>, sweep: Sweep): Spec {
  const one = <T>(usual: T, times: number, ...others: T[]): T =>
    random.below(100) < times ? random.pick(others) : usual;
  const program = one<Spec['program']>('agent', 28, 'ended', 'shell', 'job', 'dead', 'dead');
  const isAgent = program === 'agent';
  const mood = isAgent ? one<Spec['mood']>('idle', 30, ...MOODS.slice(1)) : 'idle';
  // What a person asks for by name needs no declarations, and those cost more than anything else.
  const isDeclared = sweep !== 'none' || random.oneIn(16);
  const care = isDeclared
    ? one<Spec['care']>('adopted', 55, 'run', 'foreign', 'foreign', 'foreign')
    : 'foreign';
  const extra = isAgent ? one<Spec['extra']>('none', 12, 'shell', 'work', 'window') : 'none';
  const deed = deedFor(random, sweep);
  const isActedOn = deed === 'close' || deed === 'hibernate';
  return {
    ...{ ...given, program, mood, care, extra, deed },
    manner: isAgent ? one<Spec['manner']>('leaves', 10, 'stays') : 'leaves',
    hasShell: program === 'ended' || (isAgent && care !== 'run' && random.oneIn(4)),
    status: one(0, 40, 3),
    outcome: care === 'foreign' ? 'none' : one<Spec['outcome']>('done', 35, 'none', 'none', 'failed'),
    role: one<Spec['role']>('soon', 25, ...ROLES.slice(1)),
    people: one<Spec['people']>('none', 14, 'attached', 'left', 'reading'),
    isGrouped: random.oneIn(25),
    tree: program === 'dead' ? 'none' : one<Spec['tree']>('none', 45, ...TREES.slice(1)),
    incident: isActedOn && isAgent ? one<Spec['incident']>('none', 15, ...incidentsFor(given)) : 'none',
    delayMs: random.below(LONGEST_DELAY_MS),
    isByCommand: random.oneIn(2),
  };
}
