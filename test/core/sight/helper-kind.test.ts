import { expect, test } from 'vitest';
import { isClaudeService } from '../../../src/core/doctor/vendor-daemons.ts';
import { helperKind, helperNamed } from '../../../src/core/sight/helper-kind.ts';

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
  ['/opt/chrome/chrome --headless=new about:blank', 'browser'],
  ['docker run -i ghcr.io/acme/mcp-server-fetch', 'MCP server'],
  ['docker run -i --rm mcp/fetch', 'MCP server'],
  [
    'docker run --rm -i -e KEY --network=host -v /src:/w ghcr.io/github/github-mcp-server:1.2 stdio',
    'MCP server',
  ],
  ['podman run -eKEY=1 --interactive docker.io/mcp/time@sha256:1f', 'MCP server'],
  ['npx -y @upstash/context7-mcp', 'MCP server'],
  ['npx -p @upstash/context7-mcp context7-mcp', 'MCP server'],
  ['npx --yes --registry=https://x.org @upstash/context7-mcp', 'MCP server'],
  ['pnpm dlx @playwright/mcp', 'MCP server'],
  ['uv run mcp-server-git', 'MCP server'],
  ['node --no-warnings --require ./shim.js /x/mcp-server.js', 'MCP server'],
  ['deno run -A /x/mcp.ts', 'MCP server'],
  // Only its package says what it is.
  ['npx -y @modelcontextprotocol/server-filesystem /home', 'MCP server'],
])('%s names a helper: %s', (command, kind) => {
  expect(helperNamed(command.split(' '))).toBe(kind);
});

test('a server is one only where it talks over pipes; a browser is driven by its flags', () => {
  const browser = ['chrome', '--headless'];
  expect([helperKind(['mcp-server-git'], true), helperKind(['mcp-server-git'], false)]).toEqual([
    'MCP server',
    null,
  ]);
  expect([helperKind(['gopls'], true), helperKind(['gopls'], false)]).toEqual(['language server', null]);
  expect([helperKind(browser, true), helperKind(browser, false)]).toEqual(['browser', 'browser']);
  expect(helperKind(['make'], true)).toBeNull();
});

test('nothing is no helper', () => {
  expect(helperNamed([])).toBeNull();
  expect(helperNamed(['docker', 'pull', 'mcp/fetch'])).toBeNull();
});

test('a path may hold blanks', () => {
  expect(helperNamed(['/home/me/my tools/mcp-server-git', '--stdio'])).toBe('MCP server');
  expect(helperNamed(['/home/me/mcp tools/train'])).toBeNull();
});

test('a title that was written over the arguments is one word', () => {
  expect(helperNamed(['npm exec @upstash/context7-mcp'])).toBe('MCP server');
});

test.each([
  ['mcpherson'],
  ['docker ps mcp/fetch'],
  ['docker exec -i mcp-dev make release'],
  ['make run -i mcp/fetch'],
  ['docker run -i postgres'],
  ['node server.js mcp'],
  ['node /x/node_modules/run.js'],
  ['vim mcp.md'],
  ['/opt/chrome/chrome --new-window'],
  ['/home/me/mcp/run.sh'],
  ['sleep 1000'],
  ['node'],
  ['docker run --rm -v /src/mcp-gateway:/w builder make release'],
  ['docker run -i --rm -v /src/mcp-gateway:/w builder make release'],
  ['docker run --rm mcp/fetch'],
  ['docker run -d -i mcp/fetch'],
  ['docker run -i --entrypoint make mcp/fetch'],
  ['docker run -i --entrypoint=make mcp/fetch'],
  ['docker run -i --new-option mcp/fetch builder'],
  ['docker run -i'],
  ['docker run -i mcp.example.org/team/builder'],
  ['npm run build-mcp'],
  ['npm run-script mcp'],
  ['npm'],
  ['yarn mcp'],
  ['npx --prefix ./mcp train'],
  ['npx -p @scope/mcp train'],
  ['uv --directory /src/mcp-gateway run train.py'],
  ['python3 -c mcp'],
  ['python3 -uc mcp'],
  ['node --eval mcp'],
  ['node --print=mcp'],
  ['node --require ./mcp.js train.js'],
  ['bun run mcp'],
  ['deno task mcp'],
  [''],
])('S8: %s is none', (command) => {
  expect(helperNamed(command === '' ? [] : command.split(' '))).toBeNull();
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
