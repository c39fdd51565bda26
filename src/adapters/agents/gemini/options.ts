import { optionTable } from '../common/option-words.ts';

// `gemini --help`, 0.61. Its lists take one word each.
export const OPTIONS = optionTable({
  kept: {
    truth:
      '-d --debug --skip-trust -s --sandbox -y --yolo --screen-reader --raw-output --accept-raw-output-risk',
    word:
      '-m --model --approval-mode --policy --admin-policy --allowed-mcp-server-names --allowed-tools -e --extensions ' +
      '--include-directories -o --output-format',
  },
  conversation: { word: '--session-id --session-file', maybe: '-r --resume' },
  prompt: { word: '-i --prompt-interactive' },
  once: { maybe: '-w --worktree' },
});
