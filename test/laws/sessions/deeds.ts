import { type Happened, happen } from './incidents.ts';
import { type Member, wordFor } from './member.ts';
import type { Answer, Room } from './room.ts';

/** What was done to a session by name, and what rollcall said of it. */
export interface Done {
  readonly member: Member;
  readonly begunAt: number;
  /** Result of a close or a hibernation, code of anything else. */
  readonly result: string;
  readonly text: string;
  /** What a refusal named: blockers that stop everybody, and protections. */
  readonly named: readonly string[];
  readonly rungs: readonly Rung[];
  // biome-ignore lint/suspicious/noExplicitAny: the receipt as it was printed.
  readonly receipt: any;
  readonly happened: Happened;
}

export interface Rung {
  readonly rung: string;
  readonly startedAt: number;
  readonly result: string;
}

const LONGEST_MS = 120_000;

/** What ends it for now, if anything does. */
export function verbOf({ spec }: Member): 'close' | 'hibernate' | null {
  if (spec.deed === 'close') return 'close';
  return spec.deed === 'hibernate' || spec.deed === 'sleep-and-wake' ? 'hibernate' : null;
}

/** Does what its spec says by the library, and lets somebody come in between. */
export async function deed(room: Room, member: Member, all: readonly Member[]): Promise<Done> {
  const begunAt = Date.now();
  const verb = verbOf(member);
  const [answer, happened] = await Promise.all([
    verb === null
      ? declare(room, member)
      : room.ask(verb, { session: wordFor(member, all), timeoutMs: LONGEST_MS, reason: 'play' }),
    meanwhile(room, member),
  ]);
  return doneOf(member, { begunAt, happened }, answer.document?.sessions?.[0] ?? null, answer);
}

/** The same for several by one call of the built command. */
export async function deedsTogether(
  room: Room,
  verb: string,
  asked: readonly Member[],
  all: readonly Member[],
): Promise<Done[]> {
  if (asked.length === 0) return [];
  const begunAt = Date.now();
  const words = asked.map((member) => wordFor(member, all));
  const argv = [verb, ...words, '--timeout', `${LONGEST_MS / 1000}s`, '--reason', 'play', '--json'];
  const { exitCode, stdout, stderr } = await room.command(...argv);
  const { sessions = null } = stdout === '' ? {} : JSON.parse(stdout);
  if (sessions === null) throw new Error(`${argv.join(' ')}: ${exitCode} ${stdout}${stderr}`);
  const happened: Happened = { what: 'none', doneAt: null };
  return asked.map((member) => {
    const told = sessions.find(({ key }: Member) => key === member.key) ?? null;
    return doneOf(member, { begunAt, happened }, told, { code: 'no answer', text: stderr });
  });
}

function doneOf(
  member: Member,
  about: Pick<Done, 'begunAt' | 'happened'>,
  // biome-ignore lint/suspicious/noExplicitAny: one session of the document.
  told: any,
  { code, text }: Pick<Answer, 'code' | 'text'>,
): Done {
  const { blockers = [], protections = [] } = told ?? {};
  type Named = { readonly code: string; readonly kind?: string };
  const named = [...blockers, ...protections].filter(({ kind }: Named) => kind !== 'unfinished');
  return {
    ...{ member, ...about, result: told?.result ?? code, text: told?.text ?? text },
    named: named.map((one: Named) => one.code),
    rungs: told?.rungs ?? [],
    receipt: told?.receipt ?? null,
  };
}

async function meanwhile(room: Room, member: Member): Promise<Happened> {
  if (member.spec.incident === 'none') return { what: 'none', doneAt: null };
  await new Promise((resolve) => setTimeout(resolve, member.spec.delayMs));
  return happen(room, member);
}

function declare(room: Room, { spec, key }: Member): Promise<Answer> {
  return spec.deed === 'hold'
    ? room.ask('hold', { session: key, reason: 'for later' })
    : room.ask('retain', { session: key, forMs: 6 * 3_600_000 });
}
