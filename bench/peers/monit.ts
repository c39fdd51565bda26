import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../measure.ts';
import { bringDebian } from './bring.ts';
import { type Bring, startTelling } from './peer.ts';

/** One process that looks up pid files once a second; the programs are started beside it. */
export const bringMonit: Bring = async (folder) => {
  const monit = await bringDebian(folder, 'monit');
  return async (size) => {
    const room = join(folder, `room-${size}`);
    mkdirSync(room);
    const children = Array.from({ length: size }, () => spawn('/bin/sleep', ['100000'], { stdio: 'ignore' }));
    const stop = () => Promise.all(children.map(endProcess));
    const programs = children.map(({ pid = 0 }, index) => ({ pid, name: `agent-${index}` }));
    for (const { name, pid } of programs) writeFileSync(join(room, name), `${pid}\n`);
    const rules = [
      ...['set daemon 1', `set pidfile ${room}/pid`, `set idfile ${room}/id`, `set statefile ${room}/state`],
      ...programs.map(({ name }) => `check process ${name} with pidfile ${room}/${name}`),
    ];
    writeFileSync(join(room, 'rules'), `${rules.join('\n')}\n`, { mode: 0o600 });
    try {
      const watching = await startTelling([monit, '-I', '-c', join(room, 'rules')], {
        ...{ env: { ...process.env, HOME: room }, isReady: (line) => line.endsWith(' started') },
      });
      return {
        ...{ pid: watching.child.pid ?? 0, serverPid: null, programs },
        told: ({ name }) => watching.told((line) => line.includes(`'${name}' process is not running`)),
        async stop() {
          await endProcess(watching.child);
          await stop();
        },
      };
    } catch (cause) {
      await stop();
      throw cause;
    }
  };
};
