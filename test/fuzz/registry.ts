import type { Target } from './target.ts';
import { CONFIG_TARGETS } from './targets/config.ts';
import { GIT_TARGETS } from './targets/git.ts';
import { HOOK_TARGETS } from './targets/hooks.ts';
import { HTTP_TARGETS } from './targets/http.ts';
import { PROC_TARGETS } from './targets/proc.ts';
import { RECORD_TARGETS } from './targets/records.ts';
import { SCREEN_TARGETS } from './targets/screens.ts';
import { TMUX_TARGETS } from './targets/tmux.ts';
import { TRANSCRIPT_TARGETS } from './targets/transcripts.ts';

/** Every parser that is fuzzed. */
export const TARGETS: readonly Target[] = [
  ...TMUX_TARGETS,
  ...PROC_TARGETS,
  ...SCREEN_TARGETS,
  ...TRANSCRIPT_TARGETS,
  ...HOOK_TARGETS,
  ...CONFIG_TARGETS,
  ...RECORD_TARGETS,
  ...HTTP_TARGETS,
  ...GIT_TARGETS,
];
