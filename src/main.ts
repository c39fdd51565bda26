import { outsideOf } from './cli/outside.ts';
import { runCli } from './cli/run-cli.ts';

declare const __ROLLCALL_VERSION__: string;

const outside = outsideOf(process, {
  version: __ROLLCALL_VERSION__,
  compose: async (settings) => (await import('./compose.ts')).compose({ env: process.env, settings }),
  installedAgents: async () => (await import('./compose.ts')).findInstalledAgents(process.env),
  hookConfig: async (cwd) => (await import('./compose.ts')).composeHookConfig(process.env, cwd),
  guardProbes: async (timeoutMs) => (await import('./compose.ts')).composeGuardProbes(process.env, timeoutMs),
  ledger: async () => (await import('./compose.ts')).openLedger(process.env, 'cli'),
  lockDesk: async () => (await import('./compose.ts')).composeLockDesk(process.env),
  composeHands: async (settings) => (await import('./compose.ts')).composeHands(process.env, settings),
  composeTheatre: async (settings) =>
    (await import('./compose.ts')).composeTheatre({ env: process.env, settings }),
});
runCli(process.argv.slice(2), outside).then((exitCode) => {
  process.exitCode = exitCode;
});
