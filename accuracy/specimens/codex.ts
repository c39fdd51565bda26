import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Specimen } from './specimen.ts';

/** OpenAI's Codex. */
export const codex: Specimen = {
  kind: 'codex',
  seed({ home, work, modelUrl }, { hasAnimations = true }) {
    mkdirSync(join(home, '.codex'), { recursive: true });
    const lines = [
      'model = "scripted"',
      'model_provider = "scripted"',
      'check_for_update_on_startup = false',
      '[model_providers.scripted]',
      'name = "Scripted"',
      `base_url = "${modelUrl}/v1"`,
      'wire_api = "responses"',
      'env_key = "SCRIPTED_KEY"',
      '[analytics]',
      'enabled = false',
      '[feedback]',
      'enabled = false',
      '[features]',
      'default_mode_request_user_input = true',
      ...(hasAnimations ? [] : ['[tui]', 'animations = false']),
      `[projects."${work}"]`,
      'trust_level = "trusted"',
    ];
    writeFileSync(join(home, '.codex', 'config.toml'), `${lines.join('\n')}\n`);
  },
  env: () => ({ SCRIPTED_KEY: 'none' }),
  command: ({ isDaemon = false }) => (isDaemon ? 'codex' : 'codex --no-daemon'),
  // A menu marks its choice as the prompt is marked.
  ready: /^› (?!\d\.)/m,
  atStart: [{ pattern: /Hooks need review/, keys: ['2', 'Enter'], waitingFor: 'hook-review' }],
  trust: { pattern: /Trust this folder|Folder access|Do you trust the contents/, keys: ['Enter'] },
  permission: { pattern: /Would you like to run the following command/, keys: ['Enter'] },
  question: { pattern: /Which colour shall it be/, keys: ['Enter'] },
  interruptKeys: ['Escape'],
  clearKeys: ['C-u'],
  deletesConversations: true,
  exitCommand: '/quit',
  exitKeys: ['C-d'],
  // Its own sandbox would keep `rollcall complete` from the ledger.
  chosen: {
    words: ['--sandbox', 'danger-full-access', '--ask-for-approval', 'never', '--model', 'scripted-second'],
    model: /^scripted-second$/,
  },
};
