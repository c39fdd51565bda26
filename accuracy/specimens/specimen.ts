import type { WaitingFor } from '../../src/core/verdict/verdict.ts';
import type { AgentKind } from '../install.ts';

/** The folders that a lane's agents see as theirs. */
export interface Habitat {
  readonly home: string;
  /** A clean repository that the agent trusts. */
  readonly work: string;
  /** A repository that it has never seen. */
  readonly strange: string;
  /** Commands that the agent may run without asking. */
  readonly quiet: string;
  readonly noisy: string;
  /** Declares the work of the session around it done, with `rollcall complete`. */
  readonly declaring: string;
  readonly modelUrl: string;
  /** Where the agents are installed. */
  readonly cache: string;
}

/** How a lane differs from what an agent does by default. */
export interface Variant {
  readonly hasAnimations?: boolean;
  /** Codex: one shared server process instead of one for each terminal. */
  readonly isDaemon?: boolean;
  /** opencode: where it answers questions on its status. */
  readonly port?: number;
}

/** A dialog: how the driver recognises that it was reached, and the keys that answer it. */
export interface Dialog {
  readonly pattern: RegExp;
  readonly keys: readonly string[];
}

/** One agent program: how it is set up, started and driven. Knows nothing of how rollcall sees it. */
export interface Specimen {
  readonly kind: AgentKind;
  /** Writes its configuration, so that it starts without asking and talks to the scripted model only. */
  seed(habitat: Habitat, variant: Variant): void;
  env(habitat: Habitat): Readonly<Record<string, string>>;
  command(variant: Variant): string;
  /** Its prompt is there. */
  readonly ready: RegExp;
  /** What may come before the prompt, and what kind of waiting that is. */
  readonly atStart: readonly (Dialog & { readonly waitingFor: WaitingFor })[];
  readonly trust?: Dialog;
  readonly permission: Dialog;
  readonly question?: Dialog;
  readonly interruptKeys: readonly string[];
  readonly clearKeys: readonly string[];
  /** Each conversation is a file of its own, which somebody may delete. */
  readonly deletesConversations: boolean;
  readonly exitCommand: string;
  /** Ctrl-D at its prompt, as often as it has to be pressed. */
  readonly exitKeys: readonly string[];
  /** What a person may choose on the command line, and the model that is asked for then. */
  readonly chosen: { readonly words: readonly string[]; readonly model: RegExp };
}
