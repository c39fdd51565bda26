import type { Receipt } from './judge.ts';
import type { Member } from './member.ts';
import type { Answer, Room } from './room.ts';

interface Entry {
  readonly sequence: number;
  readonly kind: string;
  readonly action: string;
  readonly cause: number | null;
  readonly session: { readonly key: string | null; readonly name: string } | null;
  // biome-ignore lint/suspicious/noExplicitAny: depends on kind and action.
  readonly body: any;
}

/** The whole ledger of a room. */
export interface Ledger {
  readonly entries: readonly Entry[];
  receiptsOf(key: string): Receipt[];
}

/** Reads all of it, page by page. */
export async function readLedger(room: Room): Promise<Ledger> {
  const entries: Entry[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const { code, text, document }: Answer = await room.ask('log', { after });
    if (code !== 'done') throw new Error(`log: ${text}`);
    entries.push(...document.entries);
    after = document.next;
  }
  const receiptsOf = (key: string) =>
    entries.filter(({ kind, session }) => kind === 'receipt' && session?.key === key).map(({ body }) => body);
  return { entries, receiptsOf };
}

/** One outcome for each intent, and at most one receipt. */
export function judgeLedger({ entries }: Ledger, members: readonly Member[]): string[] {
  const known = new Set(members.map(({ key }) => key));
  const wrongs: string[] = [];
  for (const intent of entries.filter(({ kind }) => kind === 'intent')) {
    const of = (kind: string) => entries.filter((one) => one.kind === kind && one.cause === intent.sequence);
    const what = `${intent.action} of ${intent.session?.name}`;
    if (of('outcome').length !== 1) wrongs.push(`${what} has ${of('outcome').length} outcomes`);
    if (of('receipt').length > 1) wrongs.push(`${what} has ${of('receipt').length} receipts`);
    const key = intent.session?.key;
    const isEnding = intent.action === 'close' || intent.action === 'hibernate';
    if (isEnding && key && !known.has(key)) wrongs.push(`${what}, which is none of the batch`);
  }
  return wrongs;
}
