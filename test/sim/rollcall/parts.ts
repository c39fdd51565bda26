import { protectionIn } from '../../../src/config/broken-project.ts';
import { matchesGlob } from '../../../src/config/glob.ts';
import { DAEMON } from '../../../src/core/lock/subject.ts';
import { paneNamedIn } from '../../../src/core/sight/marks.ts';
import { expectedSockets } from '../../../src/engine/look/lost.ts';
import { createNaming } from '../../../src/engine/look/naming.ts';
import type { Parts, Settles } from '../../../src/engine/look/parts.ts';
import { createScreenKeeper } from '../../../src/engine/look/screen-keeper.ts';
import { agentAdapters } from '../ports/agents.ts';
import { hookLog } from '../ports/hook-log.ts';
import { declaredFacts } from '../ports/ledger.ts';
import { ledgerOf } from '../ports/ledger-store.ts';
import { holderOf } from '../ports/locks.ts';
import { processSensor } from '../ports/process-ports.ts';
import { ends } from '../ports/records.ts';
import type { Seat } from '../ports/seat.ts';
import { gitSensor, hostSensor, shellSensor } from '../ports/sensors.ts';
import { recollections, standingFile } from '../ports/state.ts';
import { tmuxSensor } from '../ports/tmux-sight.ts';
import type { Given } from './given.ts';

/** What a look is made of, as src/compose/look/parts.ts has it. */
export function partsOf({ seat, settings, sockets }: Given): Parts {
  const agents = agentAdapters(seat);
  const host = hostSensor(seat);
  const store = ledgerOf(seat.install);
  const expected = () => expectedSockets(store.folded.facts, host.identity());
  const tmux = tmuxSensor(seat, sockets ?? null, expected);
  return {
    ...{ tmux, agents, host },
    screens: createScreenKeeper(tmux.capture),
    hooks: hookLog(seat),
    declared: declaredFacts(seat),
    ends: ends(seat),
    processes: processSensor(seat),
    shells: shellSensor(seat),
    git: gitSensor(seat),
    naming: createNaming(agents),
    recollections: recollections(seat),
    policy: settings.policy,
    protectedBy: (name) => settings.protect.find((pattern) => matchesGlob(pattern, name)),
    protectedIn: (folders) => protectionIn(settings.brokenProject, folders),
    ownPane: paneNamedIn(seat.pane?.process.env ?? {}),
    ownPid: seat.process.pid,
    settles: async () => runningSettler(seat),
    isTmuxInstalled: () => true,
  };
}

/** Where the daemon that runs closes by itself what is due, by its own word. */
function runningSettler(seat: Seat): Settles {
  const { now: told } = standingFile(seat);
  const daemon = holderOf(seat.install, DAEMON);
  const isIts = daemon?.isAlive === true && daemon.process.pid === told?.pid;
  if (!isIts || told?.settle?.mode !== 'on') return () => false;
  const { servers } = told.settle;
  return (socketPath) => servers === null || servers.includes(socketPath);
}
