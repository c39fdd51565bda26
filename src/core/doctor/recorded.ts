import { readClosing, readReceived, readStarted } from '../close/bodies.ts';
import { type LedgerEntry, namespaceOf } from '../ledger/entry.ts';
import type { JsonObject } from '../ledger/json.ts';
import { processKey } from '../sight/identity.ts';
import type { DoctorFacts, KnownSessions } from './facts.ts';

/** What was recorded of sessions by which a process of theirs is known again. Session keys, by what names them. */
export interface RecordedSessions {
  /** By pid and start mark, and who recorded that. */
  readonly processes: ReadonlyMap<string, { readonly key: string; readonly by: string }>;
  /** By the word of the run. */
  readonly runs: ReadonlyMap<string, string>;
  readonly conversations: ReadonlyMap<string, string>;
}

/** Collects it from the ledger of this boot and from the memory of the looks. */
export function recordedIn(facts: KnownSessions & Pick<DoctorFacts, 'recollection'>): RecordedSessions {
  const { ledger, recollection, roll } = facts;
  const processes = new Map<string, { key: string; by: string }>();
  const runs = new Map<string, string>();
  const conversations = new Map<string, string>();
  const { machineId, bootId, pidNamespace } = roll.host;
  const entries = ledger.state === 'read' ? ledger.entries : [];
  const intents = new Map<number, JsonObject>();
  for (const entry of entries) {
    if (entry.kind === 'intent') intents.set(entry.sequence, entry.body);
    const key = entry.session?.key;
    if (key == null || entry.host !== machineId || entry.bootId !== bootId) continue;
    // Numbers of another pid namespace are other processes here.
    const seen = namespaceOf(entry).pidNamespace === pidNamespace ? processesIn(entry) : [];
    for (const process of seen) processes.set(process, { key, by: 'the ledger' });
    const { run, agent } = readStarted({ ...intents.get(entry.cause ?? 0), ...entry.body });
    if (run !== null) runs.set(run, key);
    if (agent?.conversation != null) conversations.set(agent.conversation, key);
  }
  for (const { key, marks } of remembered(recollection)) {
    for (const mark of marks) processes.set(processKey(mark), { key, by: 'an earlier look' });
  }
  return { processes, runs, conversations };
}

// What a close was about to end, and what outlived it.
function processesIn({ action, body }: LedgerEntry): string[] {
  if (action !== 'close') return [];
  return [...readClosing(body).processes, ...readReceived(body).survivors].map(processKey);
}

function remembered(recollection: DoctorFacts['recollection']) {
  const present = Object.values(recollection?.servers ?? {}).flatMap(({ sessions }) =>
    Object.entries(sessions).map(([key, { panes }]) => ({
      key,
      marks: Object.values(panes).flatMap(({ processes }) => processes),
    })),
  );
  const gone = Object.entries(recollection?.left ?? {}).map(([key, marks]) => ({ key, marks }));
  return [...present, ...gone];
}
