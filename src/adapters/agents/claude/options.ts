import { optionTable } from '../common/option-words.ts';

// `claude --help`, 2.1.325, and four that it does not list. Modes and settings are not kept with a conversation.
export const OPTIONS = optionTable({
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
  once: {
    nothing: '-p --print --tmux',
    word: '--environment',
    maybe: '-w --worktree --cloud',
    words: '--file',
  },
});
