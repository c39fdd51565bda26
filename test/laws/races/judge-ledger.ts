import type { Interleaved } from './interleave.ts';
import type { Violation } from './judge.ts';
import type { Stage } from './stage.ts';

interface Entry {
  readonly kind: string;
  readonly action: string;
  readonly sequence: number;
  readonly cause: number | null;
  readonly session: { readonly key: string | null; readonly name: string } | null;
}

/** What the record lacks once the next command has completed it, by interleaving. */
export async function judgeLedger(
  stage: Stage,
  all: readonly Interleaved[],
): Promise<Map<Interleaved, Violation[]>> {
  await stage.world.ask(['retain', 'bystander-idle', '--for', '1h']);
  const verified = await stage.world.ask(['verify']);
  const { entries } = await stage.world.asked<{ entries: Entry[] }>(['log']);
  const found = new Map(all.map((one) => [one, missing(one, entries)]));
  if (verified.exitCode !== 0) {
    for (const list of found.values())
      list.push({ kind: 'ledger', text: `verify: ${verified.stdout.trim()}` });
  }
  return found;
}

function missing({ subject, ran, isGone, claim }: Interleaved, entries: readonly Entry[]): Violation[] {
  const key = entries.find(({ session }) => session?.name === subject.name)?.session?.key;
  const about = entries.filter(({ session, action }) => action === 'close' && session?.key === key);
  const of = (kind: string) => about.filter((entry) => entry.kind === kind);
  const intents = of('intent');
  const receipts = of('receipt');
  const open = intents.filter(({ sequence }) => !of('outcome').some(({ cause }) => cause === sequence));
  const found: Violation[] = [];
  const say = (text: string) => found.push({ kind: 'record', text });
  if (receipts.length > 1) say(`${receipts.length} receipts`);
  if (open.length > 0) say('an intent has no outcome');
  if (ran?.exitCode === 0 && receipts.length === 0 && / closed/.test(ran.stdout))
    say('it was closed without a receipt');
  if (isGone && intents.length > 0 && receipts.length === 0 && !claim.isEndedByPerson) {
    say('it is gone without a receipt');
  }
  return found;
}
