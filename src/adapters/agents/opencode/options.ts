import { optionTable } from '../common/option-words.ts';

// `opencode --help`, 1.18.
export const OPTIONS = optionTable({
  kept: {
    truth: '--print-logs --pure --mdns --auto --mini --no-replay',
    word: '--log-level --port --hostname --mdns-domain -m --model --agent --replay-limit',
    words: '--cors',
  },
  conversation: { truth: '-c --continue --fork', word: '-s --session' },
  prompt: { word: '--prompt' },
});
