import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bringPackages } from './bring.ts';
import { BUN, KNOWN } from './known.ts';
import { type Bring, type Program, startTelling, waitForEnd } from './peer.ts';

/** Its session manager, run by Bun as its own program is. */
export const bringCcmanager: Bring = async (folder) => {
  const modules = await bringPackages(folder, [`ccmanager@${KNOWN.ccmanager.version}`, `bun@${BUN}`]);
  const bun = bunIn(modules);
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')];
  for (const one of [home, bin]) mkdirSync(one);
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\nexec /bin/sleep 100000\n', { mode: 0o755 });
  const script = join(folder, 'manage.mjs');
  writeFileSync(script, MANAGE);
  const env = {
    ...process.env,
    ...{ HOME: home, XDG_CONFIG_HOME: join(home, '.config'), PATH: `${bin}:${process.env.PATH}` },
  };
  return async (size) => {
    const manager = await startTelling([bun, script, String(size)], {
      ...{ env, cwd: home },
      isReady: (line) => line.startsWith('[{'),
    });
    const pid = manager.child.pid ?? 0;
    return {
      ...{ pid, serverPid: null, programs: JSON.parse(manager.ready) as Program[] },
      told: ({ name }) => manager.told((line) => line === `ended ${name}`),
      async stop() {
        manager.child.stdin?.end();
        await waitForEnd(pid);
      },
    };
  };
};

/** Of the builds that npm brings for this machine, one that its processor can run. */
function bunIn(modules: string): string {
  const builds = readdirSync(join(modules, '@oven')).map((name) => join(modules, '@oven', name, 'bin/bun'));
  const bun = builds.find((build) => spawnSync(build, ['--version']).status === 0);
  if (bun === undefined) throw new Error('not installed: there is no Bun for this machine');
  return bun;
}

const MANAGE = `
import { Effect } from 'effect';
import { SessionManager } from './node_modules/ccmanager/dist/services/sessionManager.js';
const manager = new SessionManager();
manager.on('sessionExit', (session) => console.log('ended ' + session.id));
const sessions = [];
for (let index = 0; index < Number(process.argv[2]); index += 1) {
  sessions.push(await Effect.runPromise(manager.createSessionWithPresetEffect(process.cwd())));
}
console.log(JSON.stringify(sessions.map((session) => ({ pid: session.process.pid, name: session.id }))));
process.stdin.on('end', () => {
  for (const session of sessions) try { process.kill(session.process.pid, 'SIGKILL'); } catch {}
  process.exit(0);
}).resume();
`;
