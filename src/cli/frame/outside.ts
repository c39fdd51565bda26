import { Failure } from '../../operations/failure.ts';
import type { Capabilities } from './capabilities.ts';
import type { Surroundings, TerminalInput, TerminalOutput } from './surroundings.ts';

/** The process as commands see it, before any config is read or any sensor made. */
export interface Outside
  extends Omit<Surroundings, keyof Capabilities | 'argv' | 'look' | 'settings' | 'config' | 'protectNow'> {
  readonly capabilities: Capabilities;
  /** Waits until everything is written; `closed` when the reader went away, as `head` and `less` do. */
  settled(): Promise<'written' | 'closed'>;
}

type Made = Pick<Outside, 'version' | 'socketOf' | 'capabilities'> & Partial<Pick<Outside, 'env'>>;

/** The only place in the CLI that knows the real process. */
export function outsideOf(process: NodeJS.Process, made: Made): Outside {
  const hangups = new Set<() => void>();
  const hangUp = () => {
    for (const listener of hangups) listener();
  };
  const stdout = new StreamOutput(() => process.stdout, hangUp);
  const stderr = new StreamOutput(() => process.stderr);
  return {
    env: process.env,
    cwd: workingFolder(process),
    stdout,
    stderr,
    stdin: inputOf(() => process.stdin),
    ...made,
    pid: process.pid,
    self: [process.execPath, ...process.argv.slice(1, 2)],
    now: Date.now,
    // A reader that goes away is told as a terminal that goes away would be: a watch that nobody reads has to end.
    onSignal: (signal, listener) => {
      process.on(signal, listener);
      if (signal === 'SIGHUP') hangups.add(listener);
      return () => {
        process.off(signal, listener);
        hangups.delete(listener);
      };
    },
    settled: async () => {
      // What cannot be said on stderr cannot be said at all; only stdout decides.
      await stderr.settled().catch(() => 'closed');
      return stdout.settled();
    },
  };
}

// A pipe without a reader, a terminal that was closed, a stream that ended before.
const READER_GONE = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/**
 * A stream that remembers its failure instead of throwing it at whoever runs at that moment. Opened at first use:
 * Node makes its standard streams lazily, and each costs start-up time.
 */
export class StreamOutput implements TerminalOutput {
  readonly #open: () => NodeJS.WriteStream;
  readonly #onClosed: () => void;
  #opened: NodeJS.WriteStream | null = null;
  #failure: NodeJS.ErrnoException | null = null;

  constructor(open: () => NodeJS.WriteStream, onClosed: () => void = () => {}) {
    this.#open = open;
    this.#onClosed = onClosed;
  }

  get isTTY(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number | null {
    // A terminal that does not know its size says 0: nothing is cut then.
    return this.#stream.columns || null;
  }

  get rows(): number | null {
    return this.#stream.rows || null;
  }

  write(text: string): void {
    const stream = this.#stream;
    if (this.#failure === null) stream.write(text, (error) => this.#note(error));
  }

  onResize(listener: () => void): () => void {
    this.#stream.on('resize', listener);
    return () => this.#stream.off('resize', listener);
  }

  async settled(): Promise<'written' | 'closed'> {
    const stream = this.#opened;
    if (stream !== null && this.#failure === null) {
      await new Promise<void>((resolve) => {
        stream.write('', (error) => {
          this.#note(error);
          resolve();
        });
      });
    }
    if (this.#failure === null) return 'written';
    if (READER_GONE.has(this.#failure.code ?? '')) return 'closed';
    throw new Failure('failed', `the output could not be written: ${this.#failure.message}`);
  }

  get #stream(): NodeJS.WriteStream {
    if (this.#opened === null) {
      this.#opened = this.#open();
      this.#opened.on('error', (error) => this.#note(error));
    }
    return this.#opened;
  }

  // A write's callback may come before the stream's own event, and with a less telling error.
  #note(error: NodeJS.ErrnoException | null | undefined): void {
    if (!error || this.#failure !== null) return;
    this.#failure = this.#opened?.errored ?? error;
    this.#onClosed();
  }
}

function inputOf(open: () => NodeJS.ReadStream): TerminalInput {
  return {
    get isTTY() {
      return open().isTTY === true;
    },
    setRawMode: (isRaw) => {
      if (open().isTTY) open().setRawMode(isRaw);
    },
    onText: (listener) => {
      const stream = open();
      // Decoded by the stream, so that a character that arrives in two chunks stays whole.
      stream.setEncoding('utf8');
      stream.on('data', listener);
      return () => {
        stream.off('data', listener);
        // A stream that flows keeps the process from ending.
        if (stream.listenerCount('data') === 0) stream.pause();
      };
    },
  };
}

// The folder may be gone, for instance with a removed worktree; then there is no project either.
function workingFolder(process: NodeJS.Process): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
