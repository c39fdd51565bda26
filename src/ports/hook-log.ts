import type { HookMemory } from '../core/agent/hook-memory.ts';

/** What the agents' hooks have told, from the spool that they write to. */
export interface HookLog {
  /** Takes in what is new, and answers with everything known of one kind of agent, newest first. */
  about(agentKind: string): readonly HookMemory[];
  /** What went wrong with the spool since it was last asked, in words; null when nothing did. */
  problem(): string | null;
}
