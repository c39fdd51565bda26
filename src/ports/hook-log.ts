import type { HookMemory, HookOrigin } from '../core/agent/hook-memory.ts';

/** Something that hooks told, or may have told, and that is not in what `about` answers. */
export interface UnheardHooks {
  /** In words, with how many events it is about. */
  readonly text: string;
  /**
   * Whom it may be about: any agent; the one that sent it; or every one that no hook is known of and that had started by
   * then, because what was known was lost.
   */
  readonly of: 'anyone' | HookOrigin | { readonly silentSince: number };
}

/** What the agents' hooks have told, from the spool that they write to. */
export interface HookLog {
  /** Takes in what is new, and answers with everything known of one kind of agent, newest first. */
  about(agentKind: string): readonly HookMemory[];
  /** What the last answer lacks: as long as there is any, nothing that rests on hooks proves rest. */
  unheard(): readonly UnheardHooks[];
  /** What went wrong with the spool since it was last asked, in words; null when nothing did. */
  problem(): string | null;
}
