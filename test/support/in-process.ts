import { Writable } from 'node:stream';
import { outsideOf } from '../../src/cli/frame/outside.ts';
import { runCli } from '../../src/cli/frame/run-cli.ts';
import { openArchive } from '../../src/compose/archive.ts';
import { composeDaemonControl } from '../../src/compose/daemon/control.ts';
import { beginDaemon } from '../../src/compose/daemon/daemon.ts';
import { composeDoctor } from '../../src/compose/doctor/doctor.ts';
import { composeGateParts } from '../../src/compose/gate/gate.ts';
import { answerStop } from '../../src/compose/gate/stop.ts';
import { composeGuardProbes } from '../../src/compose/guard.ts';
import { composeHands } from '../../src/compose/hands.ts';
import { composeHistoryReader } from '../../src/compose/history.ts';
import { composeHookConfig } from '../../src/compose/hooks.ts';
import { openLedger } from '../../src/compose/ledger.ts';
import { composeLockDesk } from '../../src/compose/locks.ts';
import { findInstalledAgents } from '../../src/compose/look/agents.ts';
import { composeLook } from '../../src/compose/look/look.ts';
import { composeStandIn } from '../../src/compose/look/stand-in.ts';
import { composeNotifyTest } from '../../src/compose/notify.ts';
import { composePressure } from '../../src/compose/pressure.ts';
import { composeReapDesk } from '../../src/compose/reaper.ts';
import { labelSocket } from '../../src/compose/system/label-socket.ts';
import { composeTheatre } from '../../src/compose/theatre.ts';
import { PROGRAM, type Ran } from './command.ts';

/**
 * Runs a command line as `src/main.ts` does, in the process of the test: for what a test prepares and asks again and again.
 * Starting Node costs five times as much as most commands. What a test is about it runs with `rollcall`, as a user would.
 */
export async function rollcallInside(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  const out = { stdout: '', stderr: '' };
  const exitCode = await runCli(argv, outsideFor(env, out));
  return { exitCode, ...out };
}

function outsideFor(env: NodeJS.ProcessEnv, out: { stdout: string; stderr: string }) {
  const version = '0.0.0';
  const into = (name: 'stdout' | 'stderr') =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        out[name] += text;
        done();
      },
    });
  const { pid, execPath } = process;
  const seen = {
    ...{ pid, execPath, env, argv: [execPath, PROGRAM], cwd: () => process.cwd() },
    ...{ stdout: into('stdout'), stderr: into('stderr'), stdin: process.stdin },
    // Nobody signals it: the signals of this process are those of all tests in it.
    ...{ on() {}, off() {} },
  };
  return outsideOf(seen as unknown as NodeJS.Process, {
    version,
    handOver: () => Promise.reject(new Error('nobody to hand over to')),
    socketOf: (label) => labelSocket(label, env),
    compose: async (settings) => composeLook({ env, settings }),
    installedAgents: async () => findInstalledAgents(env),
    hookConfig: async (cwd) => composeHookConfig(env, cwd),
    guardProbes: async (timeoutMs) => composeGuardProbes(env, timeoutMs),
    notifyTest: async () => composeNotifyTest(env),
    ledger: async () => openLedger(env, 'cli'),
    archive: async () => openArchive(env),
    history: async () => composeHistoryReader(env),
    lockDesk: async () => composeLockDesk(env),
    composeHands: async (settings) => composeHands(env, settings),
    daemonControl: async () => composeDaemonControl(env),
    composeDaemon: async (settings, servers, protectNow) =>
      beginDaemon({ env, settings }, { servers, version, protectNow }),
    composeStandIn: (settings) => composeStandIn({ env, settings }, version),
    composeDoctor: async (settings, cwd) => composeDoctor({ env, settings }, cwd),
    composeReapDesk: async (settings) => composeReapDesk(env, settings),
    answerStop: async (request) => answerStop(env, request),
    composeGate: async (settings) => composeGateParts(env, settings),
    composePressure: async (settings) => composePressure(env, settings),
    composeTheatre: async (settings) => composeTheatre({ env, settings }),
  });
}
