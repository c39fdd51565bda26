import type { Guarded, GuardedLife, Lives } from '../../core/guard/guarded.ts';
import type { GuardProbes, Pulse, PulseReading } from '../../ports/guard.ts';

/** One beat: what the kernel says of everything that is guarded, without a fork. */
export interface Beat {
  readonly lives: Lives;
  /** Something changed that tmux should be asked about now: a death, a lost terminal, a new parent. */
  readonly isStartled: boolean;
  readonly isServerStopped: boolean;
}

/** Opens a pulse for the server and for each guarded pane's process, once; readings that cannot be had stay unknown. */
export function openPulses(guarded: Guarded, probes: GuardProbes) {
  const { pid, startTicks } = guarded.server;
  const server = probes.openPulse({ pid, startTicks: startTicks === 0 ? null : startTicks });
  const panes = guarded.panes.map((pane) => ({
    paneId: pane.paneId,
    pulse: panePulse(pane.pid, pid, probes),
    mark: '',
  }));
  for (const pane of panes) pane.mark = markOf(pane.pulse.read());
  let serverMark = markOf(server.read());
  return {
    beat(): Beat {
      const reading = server.read();
      let isStartled = markOf(reading) !== serverMark;
      serverMark = markOf(reading);
      const lives = new Map<string, GuardedLife>();
      for (const pane of panes) {
        const paneReading = pane.pulse.read();
        const mark = markOf(paneReading);
        if (mark !== pane.mark) isStartled = true;
        pane.mark = mark;
        lives.set(pane.paneId, paneReading);
      }
      return {
        lives: { server: reading.state, panes: lives },
        isStartled,
        isServerStopped: reading.state === 'alive' && reading.isStopped,
      };
    },
    close(): void {
      server.close();
      for (const { pulse } of panes) pulse.close();
    },
  };
}

// tmux is the parent of its panes' processes. A pid that is not its child is a stranger, or counted in another
// namespace: it tells nothing about the pane.
function panePulse(pid: number, serverPid: number, probes: GuardProbes): Pulse {
  const pulse = probes.openPulse({ pid, startTicks: null });
  const reading = pulse.read();
  if (pid > 0 && reading.state === 'alive' && (reading.parentPid === serverPid || reading.parentPid === 0)) {
    return pulse;
  }
  pulse.close();
  return { read: () => ({ state: 'unknown' }), close: () => {} };
}

function markOf(reading: PulseReading): string {
  return reading.state === 'alive' ? `${reading.parentPid}.${reading.terminal}` : reading.state;
}
