import type { LoadedConfig } from '../../config/load.ts';
import type { Settings } from '../../config/settings.ts';
import type { Look } from '../../engine/look/look.ts';
import type { Configured } from './capabilities.ts';

/** Where a command prints. Without a terminal `columns` and `rows` are null: nothing is cut to a width then. */
export interface TerminalOutput {
  write(text: string | Uint8Array): void;
  readonly isTTY: boolean;
  readonly columns: number | null;
  readonly rows: number | null;
  /** Calls back when the terminal's size changes; the returned function ends that. */
  onResize(listener: () => void): () => void;
}

/** Where a command reads keys. */
export interface TerminalInput {
  readonly isTTY: boolean;
  /** Keys one by one, without echo; only on a terminal. */
  setRawMode(isRaw: boolean): void;
  /** Calls back with what was typed; reading stops with the last listener, so that the process can end. */
  onText(listener: (text: string) => void): () => void;
}

/** Everything a command needs from outside. Commands never touch the process itself. */
export interface Surroundings extends Configured {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The socket of a label that `tmux -L` takes. */
  socketOf(label: string): string;
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  readonly stdin: TerminalInput;
  readonly version: string;
  /** Of this process. */
  readonly pid: number;
  /** The words that start this very command again, for what is to run behind it. */
  readonly self: readonly string[];
  now(): number;
  /** Calls back instead of ending the process; the returned function ends that. */
  onSignal(signal: NodeJS.Signals, listener: () => void): () => void;
  /** Composed at the first call. */
  readonly look: Look;
  /** The names that config protects by now, for whoever runs for long. */
  protectNow(): readonly string[];
  /** Read at the first use; a broken file makes that use fail with exit 2. */
  readonly settings: Settings;
  readonly config: LoadedConfig;
}
