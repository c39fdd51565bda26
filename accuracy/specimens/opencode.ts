import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Specimen } from './specimen.ts';

const LIMIT = { context: 200_000, output: 8192 };

/** opencode. */
export const opencode: Specimen = {
  kind: 'opencode',
  seed({ home, modelUrl, cache }) {
    const folder = join(home, '.config', 'opencode');
    mkdirSync(folder, { recursive: true });
    const config = {
      autoupdate: false,
      share: 'disabled',
      model: 'scripted/scripted',
      small_model: 'scripted/small',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Scripted',
          options: { baseURL: `${modelUrl}/v1`, apiKey: 'none' },
          models: {
            scripted: { name: 'Scripted', tool_call: true, limit: LIMIT },
            second: { name: 'Second', tool_call: true, limit: LIMIT },
            small: { name: 'Small', limit: LIMIT },
          },
        },
      },
      permission: { bash: { '*': 'allow', 'touch *': 'ask' } },
    };
    writeFileSync(join(folder, 'opencode.json'), JSON.stringify(config));
    for (const part of ['package.json', 'package-lock.json', 'node_modules']) {
      cpSync(join(cache, 'opencode-plugin', part), join(folder, part), { recursive: true });
    }
  },
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  // Its status can be asked over HTTP, but only where a port was named at the start.
  command: ({ port }) => (port === undefined ? 'opencode' : `opencode --port ${port}`),
  // In a narrow terminal the second part of it is on the next line.
  ready: /Ask anything|ctrl\+p/,
  atStart: [],
  permission: { pattern: /Permission required/, keys: ['Enter'] },
  question: { pattern: /Which colour shall it be/, keys: ['Enter'] },
  interruptKeys: ['Escape', 'Escape'],
  clearKeys: ['C-u'],
  deletesConversations: false,
  exitCommand: '/exit',
  exitKeys: ['C-d'],
  chosen: { words: ['--model', 'scripted/second', '--agent', 'build'], model: /^second$/ },
};
