import type { Hub } from '../events/hub.ts';
import type { LedgerTail } from '../ledger-tail.ts';
import { counted, counter, type Family, gauge } from './registry.ts';

/** What the server knows of itself and of its process. */
export interface ServerMetrics {
  answered(route: string, method: string, status: number): void;
  readonly families: readonly Family[];
}

const METHODS = new Set(['GET', 'HEAD', 'POST']);

export function createServerMetrics(parts: {
  readonly hub: Pick<Hub, 'clients' | 'dropped'>;
  readonly tail: LedgerTail;
  readonly version: string;
  readonly startedAt: number;
  /** When the last round was, epoch ms. */
  roundAt(): number | null;
}): ServerMetrics {
  const { hub, tail, version, startedAt, roundAt } = parts;
  const requests = counter('rollcall_http_requests_total', 'Requests, by route and status.');
  return {
    answered(route, method, status) {
      const shown = METHODS.has(method) ? method : 'other';
      requests.add({ route, method: shown, status: String(status) });
    },
    families: [
      gauge('rollcall_ledger_entries', 'Entries that can be relied on.', () => tail.head.sequence),
      gauge('rollcall_ledger_lag_entries', 'Entries that the last round has not seen.', () =>
        tail.since(roundAt() ?? 0),
      ),
      gauge('rollcall_ledger_open_intents', 'Intents without an outcome.', () => tail.openIntents.length),
      gauge('rollcall_ledger_damaged', 'Whether the ledger cannot be relied on to its end.', () =>
        tail.damage === null ? 0 : 1,
      ),
      gauge('rollcall_event_clients', 'Clients of /v1/events.', () => hub.clients),
      counted(
        'rollcall_event_clients_dropped_total',
        'Clients that did not read and were dropped.',
        () => hub.dropped,
      ),
      requests,
      gauge('process_resident_memory_bytes', 'Resident memory of the daemon.', () =>
        process.memoryUsage.rss(),
      ),
      counted('process_cpu_seconds_total', 'Processor time of the daemon.', () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1_000_000;
      }),
      gauge('process_start_time_seconds', 'When the daemon started.', () => startedAt / 1000),
      gauge('rollcall_build_info', 'Always one; the labels tell.', () => [
        { labels: { version, node: process.version }, value: 1 },
      ]),
    ],
  };
}
