// rollcall needs tmux and git. On Debian as root they are installed when missing; elsewhere one line says what to install.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const has = (program, flag) => spawnSync(program, [flag], { stdio: 'ignore' }).status === 0;
const missing = [...(has('tmux', '-V') ? [] : ['tmux']), ...(has('git', '--version') ? [] : ['git'])];
if (missing.length > 0) {
  const isDebianRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0;
  const names = missing.join(' ');
  if (!isDebianRoot) {
    const install = process.platform === 'darwin' ? `brew install ${names}` : `sudo apt-get install ${names}`;
    console.error(
      `rollcall needs ${names}: install with "${install}" (or your system's package manager) and try again.`,
    );
    process.exit(1);
  }
  console.error(`Installing ${names} …`);
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update', '-q');
  const installed = apt('install', '-y', '-q', '--no-install-recommends', ...missing);
  if (installed.status !== 0) {
    console.error(
      `Could not install ${names}: run "apt-get update && apt-get install ${names}" and look at what it says.`,
    );
    process.exit(1);
  }
}
