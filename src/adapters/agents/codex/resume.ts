import type { Resumption, StartedAs } from '../../../core/agent/resumption.ts';
import { optionTable } from '../common/option-words.ts';
import { resumption } from '../common/resumed-words.ts';
import { SIGNATURE, THREAD_ID } from './command-line.ts';

/** The argv that brings a conversation back; Codex keeps one only from its first turn on. */
export function resumeOf(conversation: string | undefined, hasTurns: boolean): readonly string[] | undefined {
  return conversation !== undefined && hasTurns ? resume(conversation).argv : undefined;
}

/** The same program with the same options on its conversation. */
export function resume(conversation: string | null, startedAs?: StartedAs): Resumption {
  return resumption(
    { signature: SIGNATURE, options: OPTIONS, words: (id) => ['resume', id], read: readRest },
    conversation,
    startedAs,
  );
}

// `codex resume ID PROMPT`: the first two choose a conversation.
function readRest(rest: readonly string[]): { readonly prompt: readonly string[] } {
  const [first, second = ''] = rest;
  if (first !== 'resume' && first !== 'fork') return { prompt: rest };
  return { prompt: rest.slice(THREAD_ID.test(second) ? 2 : 1) };
}

// `codex --help` and `codex resume --help`, 0.166.
const OPTIONS = optionTable({
  kept: {
    nothing:
      '--strict-config --oss --approve-for-me --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust ' +
      '--search --no-alt-screen --no-daemon',
    word:
      '-c --config --enable --disable --remote --remote-auth-token-env -m --model --local-provider -p --profile ' +
      '-s --sandbox -C --cd --add-dir -a --ask-for-approval',
  },
  conversation: { nothing: '--last --all --include-non-interactive' },
  once: { nothing: '--worktree', words: '-i --image' },
});
