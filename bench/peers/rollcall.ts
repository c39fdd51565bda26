import { startCrowd } from '../crowd.ts';
import { panesOf } from '../daemon.ts';
import { listen } from '../listen.ts';
import { endProcess, startDaemon } from '../measure.ts';
import type { Bring } from './peer.ts';

/** The daemon of this project as it is built, with a client that listens. */
export const bringRollcall: Bring = async () => async (size) => {
  const crowd = startCrowd(size);
  try {
    const daemon = await startDaemon(crowd);
    const heard = listen(crowd);
    await heard.isReady;
    const programs = panesOf(crowd).map((line) => {
      const [, pid, name = ''] = line.split(' ');
      return { name, pid: Number(pid) };
    });
    return {
      ...{ pid: daemon.pid ?? 0, serverPid: crowd.serverPid, programs },
      told: ({ name }) =>
        heard.next(
          ({ kind, data }) =>
            kind === 'session' && data.kind === 'session' && data.session.name === name && data.to === null,
        ),
      async stop() {
        heard.stop();
        await endProcess(daemon);
        crowd.stop();
      },
    };
  } catch (cause) {
    crowd.stop();
    throw cause;
  }
};
