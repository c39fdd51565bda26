import type { HookAgent } from '../../ports/hook-config.ts';

/** An agent whose hooks are entries in a JSON file. */
export type JsonHookAgent = Exclude<HookAgent, 'opencode'>;

/** Hooks to be put into a JSON file: for which agent, for which of its events, and what they call. */
export interface WantedHooks {
  readonly agent: JsonHookAgent;
  readonly events: readonly string[];
  /** The event at which the stop gate may hold the agent up; null where there is none. */
  readonly stopEvent: string | null;
  readonly script: string;
  /** Other places at which rollcall is known to have had the script. */
  readonly earlierScripts?: readonly string[];
}

/** How long the gate's checks may take at the end of a turn; the script ends them long before. */
const STOP_SECONDS = 300;

interface JsonHooks {
  /** As people call it. */
  readonly title: string;
  /** What the agent's own reader takes; what it refuses, rollcall does not edit. */
  readonly dialect: { readonly hasComments: boolean; readonly hasByteOrderMark: boolean };
  /**
   * Hooks of one event may run in the order in which they stand. Ours is put last, so that a hook of the user's that ends
   * the matter comes first. Claude Code and Codex run all of them at once and Gemini does so unless an entry says
   * otherwise (`sequential`); only where order counts an entry that is no longer the last one is moved: Codex would want
   * it reviewed anew.
   */
  readonly isInOrder: boolean;
  /** The entry of one event, around the command. */
  group(event: string, command: string, isStop: boolean): object;
}

/**
 * The entries of each agent. Verified with Claude Code 2.1.325, Codex 0.166.0 and Gemini CLI 0.61.0: what their readers
 * accept, and time limits that they do not complain about.
 */
export const JSON_HOOKS: Readonly<Record<JsonHookAgent, JsonHooks>> = {
  claude: {
    title: 'Claude Code',
    dialect: { hasComments: false, hasByteOrderMark: true },
    isInOrder: false,
    // The longest limit of a SessionEnd hook is how long Claude waits with its exit, 1.5 s at the least.
    group: (event, command, isStop) => ({
      matcher: '',
      hooks: [{ type: 'command', command, timeout: isStop ? STOP_SECONDS : event === 'SessionEnd' ? 1 : 10 }],
    }),
  },
  codex: {
    title: 'Codex',
    dialect: { hasComments: false, hasByteOrderMark: false },
    isInOrder: false,
    // Codex warns at every start of more than 3 s for these two.
    group: (event, command, isStop) => {
      const isShort = event === 'SessionEnd' || event === 'Interrupt';
      return { hooks: [{ type: 'command', command, timeout: isStop ? STOP_SECONDS : isShort ? 3 : 10 }] };
    },
  },
  gemini: {
    title: 'Gemini CLI',
    dialect: { hasComments: true, hasByteOrderMark: false },
    isInOrder: true,
    group: (_event, command, isStop) => ({
      matcher: '*',
      hooks: [{ name: 'rollcall', type: 'command', command, timeout: isStop ? STOP_SECONDS * 1000 : 10_000 }],
    }),
  },
};
