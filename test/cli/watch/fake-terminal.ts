import { vi } from 'vitest';
import type { Surroundings } from '../../../src/cli/frame/surroundings.ts';
import type { WatchOptions } from '../../../src/cli/watch/look-again.ts';
import type { Roll } from '../../../src/core/sight/roll.ts';
import type { Look, LookOptions } from '../../../src/engine/look/look.ts';

export const EVERY_MS = 2000;

/** A terminal, a person at it, and a machine that is looked at: all in the hands of the test. */
export class FakeTerminal {
  columns: number | null = 80;
  rows: number | null = 24;
  isTTY = true;
  written = '';
  complained = '';
  isRaw = false;
  rawSwitches = 0;
  /** Each look under way, with what it was asked. */
  readonly looks: {
    options: LookOptions | undefined;
    answer(roll: Roll): void;
    fail(error: unknown): void;
  }[] = [];
  /** Fails the next write, as a terminal that went away would. */
  failure: Error | null = null;
  readonly #listeners = new Map<string, Set<(text: string) => void>>();

  readonly look: Look = (options) =>
    new Promise((answer, fail) => {
      this.looks.push({ options, answer, fail });
    });

  readonly surroundings = {
    argv: [],
    env: {},
    cwd: '/',
    version: '0',
    now: () => Date.now(),
    look: this.look,
    config: { notices: [] },
    stdout: this.#output((text) => {
      this.written += text;
    }),
    stderr: this.#output((text) => {
      this.complained += text;
    }),
    stdin: {
      isTTY: true,
      setRawMode: (isRaw: boolean) => {
        this.isRaw = isRaw;
        this.rawSwitches += 1;
      },
      onText: (listener: (text: string) => void) => this.#listen('text', listener),
    },
    onSignal: (signal: string, listener: () => void) => this.#listen(signal, listener),
  } as unknown as Surroundings;

  readonly options: WatchOptions = {
    everyMs: EVERY_MS,
    isJson: false,
    isColor: false,
    filter: { lifecycles: [], activities: [], agents: [], servers: [], words: [] },
  };

  /** Something happens: `text` is typed, a signal comes, the window was resized. */
  async emit(event: 'text' | 'resize' | NodeJS.Signals, text = ''): Promise<void> {
    for (const listener of this.#listeners.get(event) ?? []) listener(text);
    await this.pass(0);
  }

  /** Time passes on the fake clock. */
  async pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
  }

  /** The look that began last comes back. */
  async answer(roll: Roll): Promise<void> {
    this.looks.at(-1)?.answer({ ...roll, at: Date.now() });
    await this.pass(0);
  }

  /** Everything written since the last time it was taken. */
  take(): string {
    const text = this.written;
    this.written = '';
    return text;
  }

  get listening(): string[] {
    return [...this.#listeners].filter(([, listeners]) => listeners.size > 0).map(([event]) => event);
  }

  #output(write: (text: string) => void) {
    const terminal = this;
    return {
      write: (text: string) => {
        const { failure } = terminal;
        terminal.failure = null;
        if (failure !== null) throw failure;
        write(text);
      },
      get isTTY() {
        return terminal.isTTY;
      },
      get columns() {
        return terminal.columns;
      },
      get rows() {
        return terminal.rows;
      },
      onResize: (listener: () => void) => terminal.#listen('resize', listener),
    };
  }

  #listen(event: string, listener: (text: string) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => listeners.delete(listener);
  }
}
