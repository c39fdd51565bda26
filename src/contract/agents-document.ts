import type { Problem } from '../core/sight/roll.ts';
import { toDocument } from './document.ts';
import type { AgentsDocument } from './document-schemas.ts';
import { problemObject } from './roll-document.ts';

/** What `rollcall agents` knows; the shapes are those of the surface and of the port. */
export interface AgentsFound {
  readonly installed: readonly Readonly<AgentsDocument['installed'][number]>[];
  readonly running: readonly (Omit<AgentsDocument['running'][number], 'sources' | 'gaps'> & {
    readonly sources: readonly AgentsDocument['running'][number]['sources'][number][];
    readonly gaps: readonly { readonly code: string; readonly text: string }[];
  })[];
  readonly problems: readonly Problem[];
}

/** Installed and running agents as `rollcall agents --json` prints them. */
export function toAgentsDocument({ installed, running, problems }: AgentsFound): AgentsDocument {
  return toDocument({
    installed: installed.map((agent) => ({ ...agent })),
    running: running.map((agent) => ({
      ...agent,
      sources: [...agent.sources],
      gaps: agent.gaps.map(({ code, text }) => ({ code, text })),
    })),
    problems: problems.map(problemObject),
  });
}
