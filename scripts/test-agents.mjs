// Runs real agents in every state and holds rollcall's verdicts against the truth; see accuracy/ and docs/ACCURACY.md.
// Installs with network, then starts itself again where there is only loopback: no agent may reach a real model.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { importTs } from './run-ts.mjs';

const INSIDE = '--inside-namespace';
const argv = process.argv.slice(2);
const { prepare, play } = await importTs('accuracy/main.ts');

if (argv[0] === INSIDE) process.exit(await play(argv.slice(1)));

const problem = prepare(argv);
if (problem !== null) {
  console.error(problem);
  process.exit(2);
}
const flags = [['-n'], ['-rn']].find(
  (one) => spawnSync('unshare', [...one, 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' }).status === 0,
);
if (!flags) {
  console.error(
    'The agents run in a network namespace of their own: this needs Linux with unshare and ip, as root or with user namespaces.',
  );
  process.exit(2);
}
const self = fileURLToPath(import.meta.url);
const script = 'ip link set lo up && exec "$@"';
const child = spawn(
  'unshare',
  [...flags, 'sh', '-c', script, 'sh', process.execPath, self, INSIDE, ...argv],
  {
    stdio: 'inherit',
  },
);
// The child hears the terminal's Ctrl-C as well, and cleans up; only what was sent to this process alone is passed on.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGHUP', () => child.kill('SIGHUP'));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
