import { Writable } from 'node:stream';
import { outsideOf } from '../../src/cli/frame/outside.ts';
import { runCli } from '../../src/cli/frame/run-cli.ts';
import { capabilitiesOf } from '../../src/compose/capabilities.ts';
import { labelSocket } from '../../src/compose/system/own-user.ts';
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
    socketOf: (label) => labelSocket(label, env),
    capabilities: {
      ...capabilitiesOf(env, version),
      handOver: () => Promise.reject(new Error('nobody to hand over to')),
    },
  });
}
