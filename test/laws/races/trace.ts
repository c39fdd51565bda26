import { existsSync, readFileSync } from 'node:fs';

/** Something that the program did to a session, a pane or a process. */
export interface Act {
  readonly kind: 'text' | 'enter' | 'erase' | 'remove' | 'signal' | 'other';
  readonly text: string;
  /** Of a signal. */
  readonly pid: number | null;
  /** On the monotonic clock, when it began. */
  readonly at: number;
  /** What tmux said of it; null where nobody heard its answer. */
  readonly isDone: boolean | null;
}

/** What one run of the program did, step by step. */
export interface Trace {
  readonly points: readonly string[];
  readonly acts: readonly Act[];
  /** For each point, the lasting step that comes next. */
  readonly ahead: readonly string[];
}

interface Event {
  readonly event: 'point' | 'goes-on' | 'child' | 'child-pid' | 'ended' | 'signal';
  readonly at: number;
  readonly address?: string;
  readonly id?: number;
  readonly argv?: readonly string[];
  readonly pid?: number;
  readonly signal?: string;
  readonly begunAt?: number;
  readonly isDone?: boolean;
  readonly printed?: string;
}

/** Reads what the preload wrote down. */
export function readTrace(path: string): Trace {
  const events = existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line) as Event)
    : [];
  const points = events.flatMap(({ event, address }) => (event === 'point' ? [address ?? ''] : []));
  return { points, acts: actsIn(events), ahead: aheadOf(points) };
}

function actsIn(events: readonly Event[]): Act[] {
  const children = new Set(events.flatMap(({ event, pid }) => (event === 'child-pid' ? [pid] : [])));
  return events.flatMap((one): Act[] => {
    if (one.event === 'signal') {
      const pid = one.pid ?? 0;
      // It may end its own children as it likes.
      if (children.has(Math.abs(pid)) || one.signal === 'SIGCONT') return [];
      const isDone = one.isDone ?? true;
      return [{ kind: 'signal', text: `${one.signal} to ${pid}`, pid, at: one.begunAt ?? one.at, isDone }];
    }
    if (one.event !== 'child') return [];
    const words = one.argv?.join(' ') ?? '';
    const kind = kindOf(words);
    if (kind === null) return [];
    const answer = events.find(({ event, id }) => event === 'ended' && id === one.id);
    const isDone = answer === undefined ? null : /done\s*$/.test(answer.printed ?? '');
    const { at } = one;
    if (kind !== 'signal') return [{ kind, text: TEXTS[kind], pid: null, at, isDone }];
    const signal = SIGNAL.exec(words)?.[1];
    return [...words.matchAll(/end (\d+) \d+/g)].map(([, number]) => {
      const pid = Number(number);
      return { kind, text: `SIG${signal} to ${pid}`, pid, at, isDone };
    });
  });
}

const TEXTS = {
  text: 'typing its exit',
  enter: 'Enter',
  erase: 'taking back what it typed',
  remove: 'kill-session',
  other: 'an act of tmux',
};

/** tmux sends it itself. */
const SIGNAL = /run-shell.* kill -(TERM|KILL) /;

function kindOf(words: string): keyof typeof TEXTS | 'signal' | null {
  if (SIGNAL.test(words)) return 'signal';
  if (/kill-(?:session|window|pane|server)/.test(words)) return 'remove';
  if (/send-keys/.test(words)) {
    if (/BSpace/.test(words)) return 'erase';
    return /Enter/.test(words) ? 'enter' : 'text';
  }
  return /respawn-|run-shell|link-window|move-|join-pane/.test(words) ? 'other' : null;
}

const STEPS: readonly (readonly [RegExp, string])[] = [
  [/^before rename \.writing/, 'archive'],
  [/^before INSERT.* intent#/, 'intent'],
  [/^before tmux send-keys text#/, 'type'],
  [/^before tmux send-keys Enter#/, 'enter'],
  [/^before tmux SIGTERM|^before SIGTERM to a process/, 'terminate'],
  [/^before tmux SIGKILL|^before SIGKILL to a process/, 'kill'],
  [/^before tmux kill-session/, 'remove'],
  [/^before INSERT.* receipt#/, 'receipt'],
  [/^before INSERT.* outcome#/, 'outcome'],
];

function aheadOf(points: readonly string[]): string[] {
  let next = 'end';
  const backwards = [...points].reverse().map((point) => {
    next = STEPS.find(([pattern]) => pattern.test(point))?.[1] ?? next;
    return next;
  });
  const ahead = backwards.reverse();
  // A signal after the session was removed is the sweep's.
  const removed = points.findIndex((point) => /^after tmux kill-session/.test(point));
  return ahead.map((step, index) =>
    step === 'terminate' && removed !== -1 && index > removed ? 'sweep' : step,
  );
}
