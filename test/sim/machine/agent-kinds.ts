/** Kinds of agents by what they let others know of themselves. */
export type AgentKind = 'full' | 'hooks' | 'screen-only' | 'generic';

interface KindFacts {
  /** The name of its program. */
  readonly program: string;
  readonly hasStatus: boolean;
  readonly hasHooks: boolean;
  readonly hasTranscript: boolean;
  readonly hasScreen: boolean;
  readonly hasConversation: boolean;
  /** Its last hook tells that it goes. */
  readonly sendsEnd: boolean;
  readonly exit: string;
  readonly startMs: number;
  /** Share of a core while it works. */
  readonly workingShare: number;
}

const COMMON = { exit: '/exit', startMs: 700, workingShare: 0.08, sendsEnd: true, hasConversation: true };

/** What each kind shows: everything; hooks and a screen; a screen and a title; nothing but its process. */
export const KINDS: Readonly<Record<AgentKind, KindFacts>> = {
  full: {
    ...COMMON,
    program: 'agent-full',
    hasStatus: true,
    hasHooks: true,
    hasTranscript: true,
    hasScreen: true,
  },
  hooks: {
    ...COMMON,
    program: 'agent-hooks',
    hasStatus: false,
    hasHooks: true,
    hasTranscript: true,
    hasScreen: true,
  },
  'screen-only': {
    ...{ ...COMMON, program: 'agent-screen', hasStatus: false, hasHooks: false, hasTranscript: false },
    hasScreen: true,
  },
  generic: {
    ...{ ...COMMON, program: 'agent-generic', hasStatus: false, hasHooks: false, hasTranscript: false },
    ...{ hasScreen: false, hasConversation: false },
  },
};

/** The kind that a command line starts; null where it is another program. */
export function kindOf(argv: readonly string[]): AgentKind | null {
  const name = argv[0]?.split('/').at(-1);
  for (const kind of Object.keys(KINDS) as AgentKind[]) if (KINDS[kind].program === name) return kind;
  return null;
}

/** The word behind an option; null where it is not there. */
export function optionIn(argv: readonly string[], option: string): string | null {
  const at = argv.indexOf(option);
  return at === -1 ? null : (argv[at + 1] ?? null);
}

/** A conversation as its agent keeps it on the disk. */
export interface Conversation {
  readonly id: string;
  readonly kind: AgentKind;
  readonly path: string;
  readonly cwd: string;
  readonly turns: { at: number; isOver: boolean }[];
  /** Its file is there. */
  isThere: boolean;
}
