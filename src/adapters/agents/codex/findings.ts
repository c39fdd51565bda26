import type { AgentSign, SignSource } from '../../../core/agent/sign.ts';
import type { AgentGap, AgentScene, MayBeIn } from '../../../ports/agent.ts';
import type { CodexCommand } from './command-line.ts';

/** What is known of one Codex before its conversations are looked for. */
export interface CodexSubject {
  readonly scene: AgentScene;
  readonly command: CodexCommand;
  readonly home: string | null;
  readonly folder: string | undefined;
  readonly version: string | undefined;
  readonly isIdInTitle: boolean;
}

/** What one way of looking found out. */
export interface Findings {
  readonly conversation?: string;
  readonly transcript?: string;
  /** The conversation has had a turn, so that it can be taken up again. */
  readonly hasTurns: boolean;
  readonly version?: string;
  readonly folder?: string;
  readonly signs: readonly AgentSign[];
  readonly gaps: readonly AgentGap[];
  readonly failures: readonly { readonly source: SignSource; readonly text: string }[];
  readonly mayBeIn?: MayBeIn;
  /** The source that runs the turns was heard: what a title leaves out may be believed. */
  readonly isHeard: boolean;
  /** Subagents are counted by a source that sees them. */
  readonly isFamilyKnown: boolean;
  /** Nothing that happened before this moment tells of what runs now. */
  readonly eventsFrom: number;
}

/** Nothing was found out. */
export const NOTHING: Findings = {
  hasTurns: false,
  signs: [],
  gaps: [],
  failures: [],
  isHeard: false,
  isFamilyKnown: false,
  eventsFrom: 0,
};

/** The gap of a Codex whose conversation is not proven. */
export const CONVERSATION_UNKNOWN: AgentGap = {
  code: 'conversation-unknown',
  text: 'nothing proves which of its conversations this pane shows',
};
