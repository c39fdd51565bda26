import type { Link } from './link.ts';

export interface FolderQuestion {
  readonly task: string;
  readonly words: readonly unknown[];
  /** What many questions have in common. */
  readonly shared?: object;
  /** What is asked about: whatever gives no answer is known by this. */
  readonly about: string;
}

export type FolderAnswer =
  | { readonly state: 'answered'; readonly value: unknown }
  | { readonly state: 'failed'; readonly text: string };

/** A folder host at work. */
export interface FolderChild {
  ask(question: FolderQuestion): Promise<FolderAnswer>;
  /** Questions that it has not answered, in the order in which they were asked. */
  open(): readonly FolderQuestion[];
  end(): void;
}

export interface ChildEvents {
  /** It hangs: it says nothing and does nothing. Told once. */
  onSilent(): void;
  /** It has answered everything that it was asked. */
  onIdle(): void;
  onEnd(): void;
}

const LOOK_EVERY_MS = 250;
/** Time without a word and without any work, after which it hangs. */
export const SILENT_MS = 1000;

/** Speaks with one host, and notices when it hangs: even with long work under way it answers a ping. */
export function createFolderChild(link: Link, events: ChildEvents): FolderChild {
  const asked = new Map<number, { readonly question: FolderQuestion; settle(answer: FolderAnswer): void }>();
  const shared = new Map<object, number>();
  let lastId = 0;
  let heardAt = 0;
  let ticks = -1;
  let isSilent = false;
  let isOver = false;
  let watch: NodeJS.Timeout | undefined;

  const look = (): void => {
    const busy = link.busyness();
    // One that waits for a processor on a busy machine does not hang.
    if (busy !== null && (busy.isRunning || busy.ticks !== ticks)) heardAt = performance.now();
    ticks = busy?.ticks ?? ticks;
    if (performance.now() - heardAt > SILENT_MS) {
      unwatch();
      isSilent = true;
      events.onSilent();
    } else link.say({ kind: 'ping' });
  };
  const unwatch = (): void => {
    clearInterval(watch);
    watch = undefined;
  };
  const settle = (id: number, answer: FolderAnswer): void => {
    const one = asked.get(id);
    asked.delete(id);
    if (asked.size === 0) unwatch();
    one?.settle(answer);
    if (asked.size === 0) events.onIdle();
  };
  const sharedId = (value: object | undefined): number | null => {
    if (value === undefined) return null;
    const known = shared.get(value);
    if (known !== undefined) return known;
    // Only the latest are asked for again, and a host keeps no more.
    if (shared.size >= MAX_SHARED) shared.clear();
    lastId += 1;
    shared.set(value, lastId);
    link.say({ kind: 'shared', id: lastId, value });
    return lastId;
  };

  link.onTold((told) => {
    heardAt = performance.now();
    if (told.kind === 'answer') settle(told.id, { state: 'answered', value: told.value });
    if (told.kind === 'failure') settle(told.id, { state: 'failed', text: told.text });
  });
  link.onEnd(() => {
    isOver = true;
    unwatch();
    for (const id of [...asked.keys()]) settle(id, { state: 'failed', text: ENDED });
    events.onEnd();
  });

  return {
    ask(question) {
      if (isOver) return Promise.resolve({ state: 'failed', text: ENDED });
      if (asked.size === 0) heardAt = performance.now();
      if (!isSilent) watch ??= setInterval(look, LOOK_EVERY_MS);
      return new Promise((resolve) => {
        const common = sharedId(question.shared);
        lastId += 1;
        const { task, words } = question;
        asked.set(lastId, { question, settle: resolve });
        link.say({ kind: 'question', id: lastId, task, words, shared: common });
      });
    },
    open: () => [...asked.values()].map(({ question }) => question),
    end: () => link.end(),
  };
}

/** Of what was told once, a host keeps the latest. */
export const MAX_SHARED = 16;
const ENDED = 'the process that looks at folders ended';
