import {
  type HookEvent,
  type HookMeaning,
  type HookMemory,
  type HookSender,
  rememberEvent,
} from '../../core/agent/hook-memory.ts';

/** What the hooks have told, one memory for each conversation; for events that name none, one for each sender. */
export interface Memories {
  fold(event: HookEvent, meaning: HookMeaning): void;
  replaceAll(memories: readonly HookMemory[]): void;
  /** Gives up what was not heard of for long, then the oldest until no more than the most are left. */
  forget(now: number): void;
  /** Newest first; the same array until something changes. */
  all(): readonly HookMemory[];
}

export const MAX_MEMORIES = 5_000;
export const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export function createMemories(): Memories {
  const byKey = new Map<string, HookMemory>();
  let sorted: readonly HookMemory[] | null = null;
  const newestFirst = () => {
    sorted ??= [...byKey.values()].sort((a, b) => b.last.at - a.last.at);
    return sorted;
  };
  const drop = (memory: HookMemory) => {
    byKey.delete(keyOf(memory));
    sorted = null;
  };
  return {
    fold(event, meaning) {
      const key = keyOf({ ...event, conversation: meaning.conversation });
      byKey.set(key, rememberEvent(byKey.get(key), event, meaning));
      sorted = null;
    },
    replaceAll(memories) {
      byKey.clear();
      for (const memory of memories) byKey.set(keyOf(memory), memory);
      sorted = null;
    },
    forget(now) {
      for (const memory of byKey.values()) if (memory.last.at < now - KEPT_MS) drop(memory);
      if (byKey.size > MAX_MEMORIES) newestFirst().slice(MAX_MEMORIES).forEach(drop);
    },
    all: newestFirst,
  };
}

interface Speaker {
  readonly agentKind: string;
  readonly conversation: string | null;
  readonly sender: HookSender;
}

function keyOf({ agentKind, conversation, sender }: Speaker): string {
  if (conversation !== null) return `${agentKind} ${conversation}`;
  const { parentPid, agentPid, tmuxSocket, tmuxServerPid, paneId } = sender;
  return `${agentKind}\n${JSON.stringify([parentPid, agentPid, tmuxSocket, tmuxServerPid, paneId])}`;
}
