import {
  type HookEvent,
  type HookMeaning,
  type HookMemory,
  type HookOrigin,
  rememberEvent,
  tellsOfWork,
  withoutRest,
} from '../../core/agent/hook-memory.ts';

export type Memories = ReturnType<typeof createMemories>;

export const MAX_MEMORIES = 5_000;
const DAY_MS = 24 * 60 * 60 * 1000;
export const KEPT_MS = 7 * DAY_MS;
/** A timer may be set for weeks, and nothing else may tell of it. */
const WORK_KEPT_MS = 90 * DAY_MS;

/** What the hooks have told, one memory for each conversation; for events that name none, one for each sender. */
export function createMemories() {
  const byKey = new Map<string, HookMemory>();
  let sorted: readonly HookMemory[] | null = null;
  let lostAt = 0;
  const newestFirst = (): readonly HookMemory[] => {
    sorted ??= [...byKey.values()].sort((a, b) => b.last.at - a.last.at);
    return sorted;
  };
  const drop = (memory: HookMemory) => {
    byKey.delete(keyOf(memory));
    sorted = null;
    if (tellsOfWork(memory)) lostAt = Math.max(lostAt, memory.last.at);
  };
  return {
    fold(event: HookEvent, meaning: HookMeaning): void {
      const key = keyOf({ ...event, conversation: meaning.conversation });
      byKey.set(key, rememberEvent(byKey.get(key), event, meaning));
      sorted = null;
    },
    /** An event of this time was lost; null: nobody can tell whose it was. */
    lose(at: number, origin: HookOrigin | null): void {
      if (origin === null) lostAt = Math.max(lostAt, at);
      for (const [key, memory] of byKey) {
        if (origin === null || isOf(memory, origin)) byKey.set(key, withoutRest(memory, at));
      }
      sorted = null;
    },
    replaceAll(memories: readonly HookMemory[], lost: number): void {
      lostAt = lost;
      byKey.clear();
      for (const memory of memories) byKey.set(keyOf(memory), memory);
      sorted = null;
    },
    /** Gives up what was not heard of for long, then the oldest until no more than the most are left. */
    forget(now: number): void {
      for (const memory of byKey.values()) if (isForgotten(memory, now)) drop(memory);
      if (byKey.size > MAX_MEMORIES) newestFirst().slice(MAX_MEMORIES).forEach(drop);
    },
    /** The last time of which something of anybody was lost or forgotten that may have told of work; 0 for never. */
    lostAt: () => lostAt,
    /** Newest first; the same array until something changes. */
    all: newestFirst,
  };
}

/** Whether nothing was heard of it for so long that it counts for nothing any more. */
export function isForgotten(memory: HookMemory, now: number): boolean {
  return memory.last.at < now - (tellsOfWork(memory) ? WORK_KEPT_MS : KEPT_MS);
}

function isOf({ agentKind, conversation, sender }: HookMemory, origin: HookOrigin): boolean {
  if (agentKind !== origin.agentKind) return false;
  if (conversation !== null && conversation === origin.conversation) return true;
  const { parentPid, agentPid, paneId, tmuxServerPid } = origin.sender;
  const isPane = paneId !== undefined && paneId === sender.paneId && tmuxServerPid === sender.tmuxServerPid;
  return isPane || parentPid === sender.parentPid || (agentPid !== undefined && agentPid === sender.agentPid);
}

function keyOf({ agentKind, conversation, sender }: HookOrigin): string {
  if (conversation !== null) return `${agentKind} ${conversation}`;
  const { parentPid, agentPid, tmuxSocket, tmuxServerPid, paneId } = sender;
  return `${agentKind}\n${JSON.stringify([parentPid, agentPid, tmuxSocket, tmuxServerPid, paneId])}`;
}
