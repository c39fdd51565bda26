import type { DaemonNote, DaemonSighting, DaemonStanding } from '../ports/daemon.ts';
import type { DaemonObject, DownDocument, SupervisionObject, UpDocument } from './daemon-schemas.ts';
import { toDocument } from './document.ts';

/** A daemon that is not there. */
export const NO_DAEMON: DaemonObject = {
  ...{ running: false, pid: null, url: null, socket: null, tokenFile: null, since: null },
};

/** A daemon as other processes see it. */
export function daemonObject(seen: DaemonSighting): DaemonObject {
  if (seen.state !== 'running') return NO_DAEMON;
  return seen.note === null
    ? { ...NO_DAEMON, running: true, pid: seen.pid, since: seen.since }
    : noteObject(seen.note);
}

/** A daemon by what it wrote down about itself. */
export function noteObject({ pid, url, socket, tokenFile, startedAt }: DaemonNote): DaemonObject {
  return { running: true, pid, url, socket, tokenFile, since: startedAt };
}

export function supervisionObject(standing: DaemonStanding): SupervisionObject {
  const { at, rounds, nextAt, roundMs, roundCpuMs, missedHints, reaper, settle } = standing;
  const { mode, wanted, pending, breaker } = reaper;
  return {
    ...{ at, rounds, nextAt, roundMs, roundCpuMs, missedHints },
    reaper: { mode, wanted, pending: pending && { name: pending.name, dueAt: pending.dueAt }, breaker },
    settle: settle?.mode ?? null,
  };
}

export function toUpDocument(
  result: UpDocument['result'],
  daemon: DaemonObject,
  more: { readonly problems?: readonly string[]; readonly service?: UpDocument['service'] } = {},
): UpDocument {
  const { problems = [], service = null } = more;
  return toDocument({ result, daemon, problems, service });
}

export function toDownDocument(result: DownDocument['result'], pid: number | null): DownDocument {
  return toDocument({ result, pid });
}
