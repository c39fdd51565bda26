import type { Resumption, StartedAs } from '../../../core/agent/resumption.ts';
import { resumption } from '../common/resumed-words.ts';
import { OPTIONS } from './options.ts';
import { SIGNATURE } from './recognise.ts';

/** The same program with the same options on its session. */
export function resume(session: string | null, startedAs?: StartedAs): Resumption {
  return resumption(
    { signature: SIGNATURE, options: OPTIONS, words: (id) => ['-s', id], read: readRest },
    session,
    startedAs,
  );
}

// `opencode [project]`: the folder to start in.
function readRest([folder, ...prompt]: readonly string[]): {
  readonly folder?: string;
  readonly prompt: readonly string[];
} {
  return { ...(folder !== undefined && { folder }), prompt };
}
