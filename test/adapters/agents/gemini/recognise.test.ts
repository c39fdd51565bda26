import { describe, expect, it } from 'vitest';
import { recognisesGemini } from '../../../../src/adapters/agents/gemini/command-line.ts';

const SCRIPT = '/usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js';

describe('S22: Gemini at its prompt', () => {
  it.each([
    [['gemini']],
    [['node', '/usr/local/bin/gemini']],
    [['node', '/home/dev/acme/node_modules/.bin/gemini', '--screen-reader']],
    [['/usr/bin/node', '--max-old-space-size=12052', '/home/dev/acme/node_modules/.bin/gemini']],
    [['node', SCRIPT]],
    [['/usr/bin/node', '--max-old-space-size=4096', SCRIPT, '--resume', 'latest']],
    [['node', SCRIPT, '-i', 'hooks']],
    [['node', SCRIPT, '-m', 'gemini-3-pro', '--yolo']],
    [['node', SCRIPT, '--prompt-interactive', 'explain -p']],
    [['node', SCRIPT, 'fix the hooks']],
    [['node', SCRIPT, '-e', 'mcp']],
  ])('S22: %j', (argv) => expect(recognisesGemini(argv)).toBe(true));
});

describe('S8: what is not Gemini at its prompt', () => {
  it.each([
    [['node', SCRIPT, '-p', 'explain']],
    [['gemini', '--prompt', 'explain']],
    [['gemini', '--prompt=explain']],
    [['gemini', '-yp', 'explain']],
    [['gemini', 'mcp', 'list']],
    [['gemini', '--debug', 'extensions', 'update']],
    [['gemini', 'hooks', 'migrate']],
    [['gemini', 'skills', 'list']],
    [['gemini', '--version']],
    [['gemini', '--list-sessions']],
    [['gemini', '--acp']],
    [['vim', '/home/dev/gemini']],
    [['node', '/home/dev/gemini/server.js']],
    [['node', '/home/dev/@google/gemini-cli/bundle/gemini.js']],
    [['node', '/srv/node_modules/@google/gemini-cli-tools/gemini.js']],
    [['bash', '-c', 'gemini']],
    [['gemini-helper']],
    [['']],
    [[]],
  ])('S8: %j', (argv) => expect(recognisesGemini(argv)).toBe(false));
});
