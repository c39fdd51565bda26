import { expect, test } from 'vitest';
import { isClaudeService } from '../../src/core/doctor/vendor-daemons.ts';
import { helperKind } from '../../src/core/helper-kind.ts';

test.each([
  ['mcp-server-git', 'MCP server'],
  ['npm exec @playwright/mcp@latest', 'MCP server'],
  ['node /x/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js /home', 'MCP server'],
  ['node /x/node_modules/.bin/context7-mcp', 'MCP server'],
  ['uvx mcp-server-time', 'MCP server'],
  ['python3.11 -m mcp', 'MCP server'],
  ['/usr/bin/gopls serve', 'language server'],
  ['node /x/node_modules/typescript/lib/tsserver.js --useInferredProjectPerProjectRoot', 'language server'],
  ['/opt/chrome/chrome --headless=new --remote-debugging-port=0', 'browser'],
  ['firefox -juggler-pipe', 'browser'],
  ['docker run -i --rm mcp/fetch', 'MCP server'],
])('%s is a helper: %s', (command, kind) => {
  expect(helperKind(command.split(' '))).toBe(kind);
});

test('nothing is no helper', () => {
  expect(helperKind([])).toBeNull();
});

test('a title that was written over the arguments is one word', () => {
  expect(helperKind(['npm exec @upstash/context7-mcp'])).toBe('MCP server');
});

test.each([
  ['mcpherson'],
  ['docker ps mcp/fetch'],
  ['docker run -i postgres'],
  ['node server.js mcp'],
  ['node /x/node_modules/run.js'],
  ['vim mcp.md'],
  ['/opt/chrome/chrome --new-window'],
  ['/home/me/mcp/run.sh'],
  ['sleep 1000'],
  ['node'],
  [''],
])('S8: %s is none', (command) => {
  expect(helperKind(command === '' ? [] : command.split(' '))).toBeNull();
});

test.each([
  ['claude daemon run', true],
  ['claude --bg do it', true],
  ['node /x/bin/claude --bg-spare', true],
  ['/usr/bin/claude --daemon-worker=1', true],
  ['claude', false],
  ['claude -- --bg', false],
  ['demiclaude daemon', false],
  ['vim notes claude', false],
  ['vim claude daemon.md', false],
])('S8: %s serves in the background: %s', (command, is) => {
  expect(isClaudeService(command.split(' '))).toBe(is);
});
