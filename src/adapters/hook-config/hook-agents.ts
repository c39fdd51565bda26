import type { HookAgent } from '../../ports/hook-config.ts';

/** An agent whose hooks are entries in a JSON file. */
export type JsonHookAgent = Exclude<HookAgent, 'opencode'>;

/** What an agent's own reader makes of its file; what it refuses, rollcall does not edit. */
export interface Dialect {
  readonly hasComments: boolean;
  readonly hasByteOrderMark: boolean;
}

/** Hooks to be put into a JSON file: for which agent, for which of its events, and what they call. */
export interface WantedHooks {
  readonly agent: JsonHookAgent;
  readonly events: readonly string[];
  readonly script: string;
}

interface JsonHooks {
  /** As people call it. */
  readonly title: string;
  readonly dialect: Dialect;
  /** The entry of one event, around the command. */
  group(event: string, command: string): object;
}

/**
 * The entries of each agent. Verified with Claude Code 2.1.325, Codex 0.166.0 and Gemini CLI 0.61.0: what their readers
 * accept, and time limits that they do not complain about.
 */
export const JSON_HOOKS: Readonly<Record<JsonHookAgent, JsonHooks>> = {
  claude: {
    title: 'Claude Code',
    dialect: { hasComments: false, hasByteOrderMark: true },
    // The longest limit of a SessionEnd hook is how long Claude waits with its exit, 1.5 s at the least.
    group: (event, command) => ({
      matcher: '',
      hooks: [{ type: 'command', command, timeout: event === 'SessionEnd' ? 1 : 10 }],
    }),
  },
  codex: {
    title: 'Codex',
    dialect: { hasComments: false, hasByteOrderMark: false },
    // Codex warns at every start of more than 3 s for these two.
    group: (event, command) => ({
      hooks: [
        { type: 'command', command, timeout: event === 'SessionEnd' || event === 'Interrupt' ? 3 : 10 },
      ],
    }),
  },
  gemini: {
    title: 'Gemini CLI',
    dialect: { hasComments: true, hasByteOrderMark: false },
    group: (_event, command) => ({
      matcher: '*',
      hooks: [{ name: 'rollcall', type: 'command', command, timeout: 10_000 }],
    }),
  },
};
