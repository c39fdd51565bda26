import { statSync } from 'node:fs';
import { tryOr } from '../../../core/try-or.ts';
import { namesIn } from '../../files/look.ts';

/** Where the transcript of a conversation may be looked for. */
export interface TranscriptClues {
  readonly conversation: string;
  /** Claude Code's folder (`~/.claude`). */
  readonly folder: string;
  /** What the hooks said, if they did. */
  readonly told?: string | undefined;
  readonly cwds: readonly string[];
}

const MAX_PROJECTS = 5000;

/**
 * Finds a transcript by its conversation, never by its age. It lies in the folder of the project where the conversation
 * began, which is another one in a git worktree and after a change of folder; then all projects are looked through.
 */
export function findTranscript({ conversation, folder, told, cwds }: TranscriptClues): string | null {
  const name = `${conversation}.jsonl`;
  if (told?.startsWith('/') && told.endsWith(`/${name}`) && isFile(told)) return told;
  const projects = `${folder}/projects`;
  for (const cwd of cwds) {
    // Longer names are cut and bear a hash: those are found by looking.
    const path = `${projects}/${cwd.replace(/[^A-Za-z0-9]/g, '-')}/${name}`;
    if (isFile(path)) return path;
  }
  return (
    namesIn(projects)
      .slice(0, MAX_PROJECTS)
      .map((project) => `${projects}/${project}/${name}`)
      .find(isFile) ?? null
  );
}

/** Whether a regular file stands at this path. */
export function isFile(path: string): boolean {
  return tryOr(false, () => statSync(path).isFile());
}
