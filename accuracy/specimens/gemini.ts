import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Specimen } from './specimen.ts';

/** Google's Gemini CLI. */
export const gemini: Specimen = {
  kind: 'gemini',
  seed({ home, work, quiet, noisy, declaring }) {
    const folder = join(home, '.gemini');
    mkdirSync(join(folder, 'policies'), { recursive: true });
    const settings = {
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      ui: { theme: 'Default', hideTips: true },
    };
    const rule = [
      '[[rule]]',
      'toolName = "run_shell_command"',
      `commandPrefix = ["${quiet}", "${noisy}", "${declaring}"]`,
      'decision = "allow"',
      'priority = 100',
    ];
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
    writeFileSync(join(folder, 'trustedFolders.json'), JSON.stringify({ [work]: 'TRUST_FOLDER' }));
    writeFileSync(join(folder, 'policies', 'scripted.toml'), `${rule.join('\n')}\n`);
  },
  env: ({ modelUrl }) => ({
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_TELEMETRY_ENABLED: 'false',
  }),
  command: () => 'gemini',
  ready: /Type your message/,
  atStart: [],
  trust: { pattern: /Do you trust/, keys: ['Enter'] },
  permission: { pattern: /Allow execution|Allow once/i, keys: ['Enter'] },
  question: { pattern: /Which colour shall it be/, keys: ['Enter'] },
  interruptKeys: ['Escape'],
  clearKeys: ['C-u'],
  deletesConversations: true,
  exitCommand: '/quit',
  exitKeys: ['C-d', 'C-d'],
  chosen: {
    words: ['--approval-mode', 'auto_edit', '--model', 'gemini-2.5-flash'],
    model: /^gemini-2\.5-flash$/,
  },
};
