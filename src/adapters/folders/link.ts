import { spawn } from 'node:child_process';
import { statFields } from '../files/look.ts';

/** How busy a process is: that it runs or waits for a processor, and the time that it has had so far. */
export interface Busyness {
  readonly isRunning: boolean;
  readonly ticks: number;
}

/** A folder host, from outside. */
export interface Link {
  say(said: Said): void;
  onTold(listener: (told: HostAnswer) => void): void;
  onEnd(listener: () => void): void;
  /** Null where the system does not tell. */
  busyness(): Busyness | null;
  /** Ends it at once, and never waits for that: a mount may hold it. */
  end(): void;
}

export type StartLink = () => Link;

/** Threads of a host: each folder that gives no answer holds one of them. */
const THREADS = 64;

/**
 * Starts folder hosts with a command line. They get no terminal, no stream of ours and no folder but the root: nobody
 * waits for one that hangs, and this process can end without them.
 */
export function createStartLink(argv: readonly string[], env: NodeJS.ProcessEnv): StartLink {
  const [program = '', ...words] = argv;
  const running = new Set<Link>();
  process.once('exit', () => {
    for (const link of running) link.end();
  });
  return () => {
    const child = spawn(program, words, {
      cwd: '/',
      env: { ...env, UV_THREADPOOL_SIZE: String(THREADS) },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      detached: true,
    });
    child.unref();
    child.channel?.unref();
    let isOver = false;
    const ends = new Set<() => void>();
    const over = () => {
      if (isOver) return;
      isOver = true;
      running.delete(link);
      for (const listener of ends) listener();
    };
    child.once('exit', over).once('error', over).once('disconnect', over);
    const link: Link = {
      say(said) {
        // One that has just ended is heard of by its end.
        if (!isOver) child.send(said, () => {});
      },
      onTold: (listener) => {
        child.on('message', (told) => listener(told as HostAnswer));
        // A listener makes the channel keep this process alive again.
        child.channel?.unref();
      },
      onEnd: (listener) => ends.add(listener),
      busyness: () => busynessOf(child.pid),
      end() {
        child.kill('SIGKILL');
        over();
      },
    };
    running.add(link);
    return link;
  };
}

function busynessOf(pid: number | undefined): Busyness | null {
  const fields = statFields(`/proc/${pid}/stat`);
  return fields && { isRunning: fields[0] === 'R', ticks: Number(fields[11]) + Number(fields[12]) };
}

export type Said =
  /** Many questions have this in common, so it is told once. */
  | { readonly kind: 'shared'; readonly id: number; readonly value: unknown }
  | {
      readonly kind: 'question';
      readonly id: number;
      readonly task: string;
      readonly words: readonly unknown[];
      /** Comes behind the words. */
      readonly shared: number | null;
    }
  | { readonly kind: 'ping' };

export type HostAnswer =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly text: string }
  | { readonly kind: 'pong' };
