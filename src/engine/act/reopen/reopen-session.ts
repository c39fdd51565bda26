import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import { livesAgain } from '../../../core/close/live-again.ts';
import { textIn } from '../../../core/close/plain.ts';
import { reopeningOfStart } from '../../../core/close/reopen-start.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import { reopeningOf } from '../../../core/close/reopening.ts';
import type { HostIdentity } from '../../../core/identity.ts';
import type { JsonObject } from '../../../core/ledger/json.ts';
import type { LockSighting } from '../../../core/lock/sighting.ts';
import type { SessionEntry } from '../../../core/roll.ts';
import type { Deed, Ending } from '../deed.ts';
import { perform } from '../deed.ts';
import type { Hands } from '../hands.ts';
import { birthBody, endOf, type ProgramEnd, removeDead } from '../run.ts';
import { findRun } from '../run-find.ts';
import { namesake, namesToTry } from '../run-name.ts';
import { type Birth, keyOf, seeBirth } from '../run-see.ts';
import { type RunWish, toSessionWish } from '../run-wish.ts';

/** Every lasting step of a reopening, in order. */
export const REOPEN_STEPS = ['intent', 'start', 'lay-out', 'settle', 'outcome'] as const;

type ReopenStep = Exclude<(typeof REOPEN_STEPS)[number], 'intent' | 'outcome'>;

/** What is to be reopened, and how. */
export interface ReopenOrder {
  readonly closed: ClosedSession;
  readonly socketPath: string;
  /** Null: the name it had. */
  readonly name: string | null;
  readonly onCollision: 'fail' | 'suffix';
  /** What is started in a pane without an agent. */
  readonly shell: string;
  readonly argv: readonly string[];
}

export type ReopenResult =
  | {
      readonly state: 'reopened';
      readonly key: string;
      readonly name: string;
      readonly host: HostIdentity;
      readonly entry: SessionEntry | null;
      readonly receipt: string | null;
      readonly reopening: Reopening;
      readonly missing: readonly string[];
    }
  | { readonly state: 'lives'; readonly entry: SessionEntry; readonly text: string }
  | { readonly state: 'folders-missing'; readonly folders: readonly string[] }
  | { readonly state: 'name-taken'; readonly name: string }
  /** What it would be made from cannot be had. */
  | { readonly state: 'not-kept'; readonly text: string }
  | { readonly state: 'died'; readonly name: string; readonly end: ProgramEnd | null }
  | { readonly state: 'failed'; readonly text: string; readonly hint: string | null }
  | { readonly state: 'busy'; readonly by: LockSighting };

/** Makes a session again that was closed or lost. */
export async function reopenSession(hands: Hands, order: ReopenOrder): Promise<ReopenResult> {
  const { closed } = order;
  const kept = keptOf(hands, closed);
  if ('state' in kept) return kept;
  const folders = kept.folders.filter((folder) => !hands.isFolder(folder));
  if (folders.length > 0) return { state: 'folders-missing', folders };
  const word = crypto.randomUUID();
  let early: ReopenResult | null = null;
  let name = order.name ?? kept.name;
  const performed = await perform<ReopenResult, ReopenStep>(
    hands,
    {
      action: 'reopen',
      session: { key: closed.facts.key, name: closed.facts.name },
      argv: order.argv,
      async prepare() {
        const free = await freeName(hands, order, kept);
        if (typeof free === 'string') name = free;
        else early = free;
        return early === null;
      },
      intend: () => intentBody(order, kept, name, word),
    },
    (deed) => bringBack({ hands, order, kept, deed }, name, word),
  );
  if (performed.state === 'performed') return performed.value;
  if (performed.state === 'moot') return early ?? { state: 'not-kept', text: 'there is nothing to reopen' };
  return performed;
}

/** What a closed session is made from: its archive, or what rollcall started it with. */
function keptOf(hands: Hands, { facts, receipt, start }: ClosedSession): Reopening | ReopenResult {
  const id = textIn(receipt?.body.receipt);
  const archived = id === null ? null : hands.archive.read(id);
  const found = archived?.state === 'read' ? reopeningOf(archived.document) : null;
  if (found !== null) return { ...found, key: facts.key };
  const started =
    start &&
    reopeningOfStart(facts, start.body, (kind, conversation) =>
      hands.agents.find((agent) => agent.kind === kind)?.resume?.(conversation),
    );
  if (started) return started;
  const text = archived?.state === 'failed' ? archived.text : `there is no archive ${archived?.path ?? ''}`;
  return { state: 'not-kept', text: text.trim() };
}

/** Looks once more, alone on it, whether it lives; and finds a name. */
async function freeName(hands: Hands, order: ReopenOrder, kept: Reopening): Promise<string | ReopenResult> {
  const { sessions } = await hands.look();
  const { entries } = hands.ledger.read();
  const receipt = textIn(order.closed.receipt?.body.receipt);
  const conversation = kept.agent?.conversation ?? null;
  const living = livesAgain({ key: kept.key, receipt, conversation }, sessions, entries);
  if (living !== null) return { state: 'lives', ...living };
  const wanted = order.name ?? kept.name;
  const names = namesToTry(wanted, order.onCollision);
  const free = names.find((name) => namesake(sessions, order.socketPath, name) === null);
  return free ?? { state: 'name-taken', name: wanted };
}

function wishOf(
  { socketPath, onCollision, closed, shell }: ReopenOrder,
  kept: Reopening,
  name: string,
): RunWish {
  const { cwd, env, agent } = kept;
  const argv = kept.argv ?? [shell];
  return { socketPath, name, onCollision, cwd, argv, env, claims: closed.facts.claims, remain: false, agent };
}

function intentBody(order: ReopenOrder, kept: Reopening, name: string, run: string): JsonObject {
  const { receipt, facts } = order.closed;
  return {
    run,
    reopens: facts.key,
    receipt: textIn(receipt?.body.receipt),
    name,
    server: { socketPath: order.socketPath },
    cwd: kept.cwd,
    argv: kept.argv ?? [order.shell],
    agent: kept.agent && { ...kept.agent },
    claims: { ...facts.claims },
  };
}

interface Bringing {
  readonly hands: Hands;
  readonly order: ReopenOrder;
  readonly kept: Reopening;
  readonly deed: Deed<ReopenStep>;
}

async function bringBack(bringing: Bringing, name: string, word: string): Promise<Ending<ReopenResult>> {
  const { hands, order, kept, deed } = bringing;
  const begun = { key: null, name };
  const born = await start(bringing, name, word);
  if ('state' in born) {
    const text = 'text' in born ? born.text : 'the name is taken';
    return { session: begun, body: { result: 'failed', text }, value: born };
  }
  const missing = [...kept.missing];
  const laidOut = await deed.step('lay-out', () =>
    kept.windows.length === 0
      ? ({ state: 'done' } as const)
      : hands.tmux.layOut(born.pane.session, kept.windows),
  );
  if (laidOut.state !== 'done') missing.push(`its windows are not laid out as they were: ${laidOut.text}`);
  const seen = await seeBirth(hands, born);
  const end = seen.state === 'dead' ? await endOf(hands, born, seen) : null;
  await deed.step('settle', async () => {
    if (seen.state === 'dead') await removeDead(hands, born, seen.entry);
    else await hands.tmux.letGo(born.pane);
  });
  const key = keyOf(seen.host, born);
  const session = { key, name: born.name };
  const { reopens, receipt } = intentBody(order, kept, name, word);
  const body = { ...birthBody(born, word), reopens: reopens ?? null, receipt: receipt ?? null, missing };
  if (seen.state === 'dead' || seen.state === 'gone') {
    return { session, body: { ...body, result: 'died' }, value: { state: 'died', name: born.name, end } };
  }
  const entry = seen.state === 'alive' ? seen.entry : null;
  const value: ReopenResult = {
    ...{ state: 'reopened', key, name: born.name, host: seen.host, entry, reopening: kept, missing },
    receipt: textIn(receipt),
  };
  return { session, body: { ...body, result: 'done' }, value };
}

async function start(
  { hands, order, kept, deed }: Bringing,
  name: string,
  word: string,
): Promise<Birth | Extract<ReopenResult, { state: 'failed' | 'name-taken' }>> {
  const begunAt = hands.now();
  const wish = toSessionWish(wishOf(order, kept, name), name, word);
  const started = await deed.step('start', () =>
    hands.tmux.startSession(order.socketPath, { ...wish, ...(kept.size && { size: kept.size }) }),
  );
  if (started.state === 'name-taken') return { state: 'name-taken', name };
  if (started.state === 'failed') {
    // No answer is not a no: the session may stand there all the same.
    const roll = await hands.look();
    const found = await findRun(hands, roll, { socketPath: order.socketPath, word, begunAt });
    return found.state === 'found' ? found.birth : { state: 'failed', text: started.text, hint: null };
  }
  const { server, sessionId, createdAtSeconds, paneId, pid } = started;
  const startTicks = hands.processes.sense().byPid.get(server.pid)?.startTicks ?? 0;
  const session = { server: { ...server, startTicks }, sessionId, createdAtSeconds };
  return { name: started.name, pane: { session, paneId, pid } };
}
