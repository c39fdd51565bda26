import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { versionOf } from '../install.ts';
import type { Specimen } from './specimen.ts';

const KEY = 'sk-ant-scripted-model-key';

/** Claude Code. */
export const claude: Specimen = {
  kind: 'claude',
  seed({ home, work, quiet, noisy, declaring }, { hasAnimations = true }) {
    const state = {
      hasCompletedOnboarding: true,
      lastOnboardingVersion: versionOf('claude'),
      theme: 'dark',
      numStartups: 9,
      autoUpdates: false,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [work]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    };
    const allow = [quiet, noisy, declaring].map((program) => `Bash(${program}:*)`);
    const settings = { permissions: { allow }, ...(!hasAnimations && { prefersReducedMotion: true }) };
    mkdirSync(join(home, '.claude'), { recursive: true });
    writeFileSync(join(home, '.claude.json'), JSON.stringify(state));
    writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify(settings));
  },
  env: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  }),
  command: () => 'claude --permission-mode default',
  ready: /^❯/m,
  atStart: [],
  trust: { pattern: /trust this folder|Do you trust|Is this a project you/i, keys: ['Down', 'Enter'] },
  permission: { pattern: /Do you want to proceed/, keys: ['Enter'] },
  question: { pattern: /Which colour shall it be/, keys: ['Enter'] },
  interruptKeys: ['Escape'],
  clearKeys: ['C-u'],
  deletesConversations: true,
  exitCommand: '/exit',
  exitKeys: ['C-d', 'C-d'],
  chosen: { words: ['--permission-mode', 'acceptEdits', '--model', 'sonnet'], model: /sonnet/ },
};
