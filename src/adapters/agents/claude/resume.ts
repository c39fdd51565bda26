import type { Resumption, StartedAs } from '../../../core/agent/resumption.ts';
import { optionTable, resumption } from '../common/resumed-words.ts';
import { SIGNATURE } from './recognise.ts';

/**
 * The command line that brings a conversation back. Without a transcript there is nothing to bring back: Claude Code
 * writes it with the first prompt, and answers `--resume` of an empty session with an error.
 */
export function resumeOf(
  conversation: string | undefined,
  transcript: string | undefined,
): readonly string[] | undefined {
  return conversation === undefined || transcript === undefined ? undefined : resume(conversation).argv;
}

/** The same program with the same options on its conversation. */
export function resume(conversation: string | null, startedAs?: StartedAs): Resumption {
  const manner = { signature: SIGNATURE, options: OPTIONS, words: (id: string) => ['--resume', id] };
  return resumption(manner, conversation, startedAs);
}

// `claude --help`, 2.1.325, and four that it does not list. Modes and settings are not kept with a conversation.
const OPTIONS = optionTable({
  kept: {
    nothing:
      '--allow-dangerously-skip-permissions --ax-screen-reader --bare --brief --chrome --dangerously-skip-permissions ' +
      '--disable-slash-commands --exclude-dynamic-system-prompt-sections --ide --no-chrome --restricted --safe-mode ' +
      '--strict-mcp-config --verbose',
    word:
      '--agent --agents --append-system-prompt --append-system-prompt-file --autocompact --debug-file --effort ' +
      '--fallback-model --max-turns --model -n --name --permission-mode --permission-prompt-tool --plugin-dir --plugin-url ' +
      '--remote-control-session-name-prefix --setting-sources --settings --system-prompt --system-prompt-file ' +
      '--system-prompt-snapshot',
    maybe: '-d --debug --prompt-suggestions --remote-control',
    words:
      '--add-dir --allowedTools --allowed-tools --betas --disallowedTools --disallowed-tools --mcp-config --tools',
  },
  conversation: {
    nothing: '-c --continue --fork-session',
    word: '--session-id',
    maybe: '-r --resume --from-pr --teleport',
  },
  once: { nothing: '--tmux', word: '--environment', maybe: '-w --worktree --cloud', words: '--file' },
});
