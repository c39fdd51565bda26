import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bringPackages } from './bring.ts';
import { KNOWN } from './known.ts';
import { type Bring, type Program, startTelling, waitForEnd } from './peer.ts';

/** Its daemon, spoken to through its own library from a process beside. */
export const bringPm2: Bring = async (folder) => {
  const modules = await bringPackages(folder, [`pm2@${KNOWN.pm2.version}`]);
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = { ...process.env, HOME: home, PM2_HOME: home, PM2_DISABLE_VERSION_CHECK: 'true' };
  return async (size) => {
    const beside = await startTelling([process.execPath, '-e', BESIDE, join(modules, 'pm2'), String(size)], {
      env,
      isReady: (line) => line.startsWith('[{'),
    });
    const pid = Number(readFileSync(join(home, 'pm2.pid'), 'utf8'));
    return {
      ...{ pid, serverPid: null, programs: JSON.parse(beside.ready) as Program[] },
      told: ({ name }) => beside.told((line) => line === `ended ${name}`),
      async stop() {
        beside.child.stdin?.end();
        await waitForEnd(pid);
        await waitForEnd(beside.child.pid ?? 0);
      },
    };
  };
};

const BESIDE = `
const [modules, size] = process.argv.slice(1);
const pm2 = require(modules);
const ended = (cause) => { if (cause) { console.error(cause); pm2.killDaemon(() => process.exit(1)); } };
pm2.connect((cause) => {
  ended(cause);
  const agents = { name: 'agent', script: '/bin/sleep', args: '100000', interpreter: 'none', exec_mode: 'fork', instances: Number(size), autorestart: false };
  pm2.start(agents, (cause) => {
    ended(cause);
    pm2.launchBus((cause, bus) => {
      ended(cause);
      bus.on('process:event', ({ event, process: { pm_id } }) => { if (event === 'exit') console.log('ended ' + pm_id); });
      pm2.list((cause, list) => {
        ended(cause);
        console.log(JSON.stringify(list.map(({ pid, pm_id }) => ({ pid, name: String(pm_id) }))));
      });
    });
  });
});
process.stdin.on('end', () => pm2.killDaemon(() => process.exit(0))).resume();
`;
