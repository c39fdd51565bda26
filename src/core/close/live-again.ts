import type { LedgerEntry } from '../ledger/entry.ts';
import type { SessionEntry } from '../roll.ts';

/** Why a session must not be made again; null when it may: it lives, was reopened, or its conversation goes on elsewhere. */
export function livesAgain(
  sought: { readonly key: string; readonly receipt: string | null; readonly conversation: string | null },
  sessions: readonly SessionEntry[],
  entries: readonly LedgerEntry[],
): { readonly entry: SessionEntry; readonly text: string } | null {
  const { key, receipt, conversation } = sought;
  const alive = sessions.filter(({ lifecycle }) => lifecycle !== 'lost');
  const itself = alive.find((entry) => entry.key === key);
  if (itself !== undefined) return { entry: itself, text: 'it is still there' };
  const successors = new Set(
    entries.flatMap(({ kind, action, body, session }) => {
      const isReopened = kind === 'outcome' && action === 'reopen' && body.result === 'done';
      const isOfThis = body.reopens === key || (receipt !== null && body.receipt === receipt);
      return isReopened && isOfThis ? (session?.key ?? []) : [];
    }),
  );
  const successor = alive.find((entry) => successors.has(entry.key));
  if (successor !== undefined) return { entry: successor, text: 'it was reopened before' };
  const other = alive.find((entry) => conversation !== null && holds(entry, conversation));
  return other ? { entry: other, text: 'its conversation goes on in another session' } : null;
}

function holds({ agent, evidence }: SessionEntry, conversation: string): boolean {
  const isLive = agent?.conversation === conversation && agent.pid !== null;
  return isLive || evidence.some((one) => one.kind === 'agent' && one.conversation === conversation);
}
