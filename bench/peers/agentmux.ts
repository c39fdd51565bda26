import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startCrowd } from '../crowd.ts';
import { endProcess } from '../measure.ts';
import { bringPackages } from './bring.ts';
import { KNOWN } from './known.ts';
import { type Bring, startTelling } from './peer.ts';

/** Its server with one team, whose members are the sessions of a crowd. */
export const bringAgentmux: Bring = async (folder) => {
  const modules = await bringPackages(folder, [`agentmux@${KNOWN.agentmux.version}`]);
  const root = join(modules, 'agentmux');
  const onLoopback = join(folder, 'on-loopback.cjs');
  writeFileSync(onLoopback, ON_LOOPBACK);
  return async (size) => {
    const crowd = startCrowd(size);
    const home = mkdtempSync(join(folder, 'home-'));
    mkdirSync(join(home, '.agentmux'));
    writeFileSync(join(home, '.agentmux/teams.json'), JSON.stringify(teamOf(size)));
    const port = await freePort();
    const env = {
      ...crowd.env,
      ...{
        HOME: home,
        AGENTMUX_HOME: join(home, '.agentmux'),
        TMUX: `${crowd.socketPath},${crowd.serverPid},0`,
      },
      ...{ WEB_PORT: String(port), AGENTMUX_MCP_PORT: '0' },
    };
    try {
      const flags = ['--require', onLoopback, '--expose-gc', '--max-old-space-size=2048'];
      const server = await startTelling(
        [process.execPath, ...flags, join(root, 'dist/backend/backend/src/index.js')],
        { env, cwd: root, isReady: (line) => line.includes(`checked ${size + 1} sessions`) },
      );
      return {
        ...{ pid: server.child.pid ?? 0, serverPid: crowd.serverPid, programs: [], told: null },
        async stop() {
          await endProcess(server.child);
          crowd.stop();
        },
      };
    } catch (cause) {
      crowd.stop();
      throw cause;
    }
  };
};

// It listens to every network otherwise.
const ON_LOOPBACK = `
const { Server } = require('node:net');
const listen = Server.prototype.listen;
Server.prototype.listen = function (port, ...rest) {
  return typeof port === 'number' ? listen.call(this, port, '127.0.0.1', ...rest) : listen.call(this, port, ...rest);
};
`;

function teamOf(size: number): unknown {
  const now = new Date().toISOString();
  const times = { createdAt: now, updatedAt: now };
  const members = Array.from({ length: size }, (_, index) => ({
    ...{ id: `member-${index}`, name: `agent-${index}`, sessionName: `agent-${index}`, role: 'developer' },
    ...{
      systemPrompt: '',
      agentStatus: 'active',
      workingStatus: 'idle',
      runtimeType: 'claude-code',
      ...times,
    },
  }));
  return {
    teams: [{ id: 'team', name: 'team', members, ...times }],
    orchestrator: { sessionId: 'agentmux-orc', agentStatus: 'inactive', workingStatus: 'idle', ...times },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
