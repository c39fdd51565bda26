import type { World } from '../laws/world.ts';

/** A user of the machine who owns nothing here. */
const NOBODY = '65534';

/** What a stranger got: an empty list where everything was refused. */
export interface Loot {
  readonly files: readonly string[];
  readonly processes: readonly string[];
}

// Plain words for each thing that one user can try on what is another's. Each is harmless only because it is refused.
const TRY_EVERYTHING = `
const fs = require('node:fs');
const net = require('node:net');
const { join } = require('node:path');
const files = [], processes = [];
const attempt = (list, what, act) => { try { if (act() !== false) list.push(what); } catch {} };
const sockets = [];
function walk(path) {
  let entry;
  try { entry = fs.lstatSync(path); } catch { return; }
  if (entry.isDirectory()) {
    attempt(files, 'makes a file in ' + path, () => fs.writeFileSync(join(path, 'stranger'), 'x'));
    attempt(files, 'renames ' + path, () => fs.renameSync(path, path + '.stranger'));
    let names = [];
    try { names = fs.readdirSync(path); } catch {}
    for (const name of names) walk(join(path, name));
  } else if (entry.isSocket()) {
    sockets.push(path);
  } else {
    attempt(files, 'reads ' + path, () => fs.closeSync(fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)));
    attempt(files, 'writes ' + path, () => fs.closeSync(fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK)));
    attempt(files, 'cuts ' + path, () => fs.truncateSync(path, 0));
    attempt(files, 'links ' + path, () => fs.linkSync(path, join(process.argv[1], 'linked-' + files.length)));
  }
  attempt(files, 'opens up ' + path, () => fs.chmodSync(path, 0o777));
  attempt(files, 'sets the times of ' + path, () => fs.utimesSync(path, 1, 1));
  if (!entry.isDirectory()) attempt(files, 'removes ' + path, () => fs.unlinkSync(path));
}
for (const root of process.argv.slice(2)) walk(root);
for (const name of fs.readdirSync('/proc').filter((one) => /^\\d+$/.test(one))) {
  let owner;
  try { owner = fs.statSync('/proc/' + name).uid; } catch { continue; }
  if (owner === process.getuid()) continue;
  for (const signal of [0, 'SIGSTOP', 'SIGTERM', 'SIGKILL']) {
    attempt(processes, signal + ' to ' + name, () => process.kill(Number(name), signal));
  }
  for (const part of ['environ', 'mem', 'maps', 'io']) {
    attempt(processes, 'reads ' + part + ' of ' + name, () => {
      const file = fs.openSync('/proc/' + name + '/' + part);
      return fs.readSync(file, Buffer.alloc(1)) > 0;
    });
  }
  for (const part of ['cwd', 'exe', 'root']) {
    attempt(processes, 'sees ' + part + ' of ' + name, () => fs.readlinkSync('/proc/' + name + '/' + part) !== '');
  }
  attempt(processes, 'lists the files of ' + name, () => fs.readdirSync('/proc/' + name + '/fd').length > 0);
}
Promise.all(sockets.map((path) => new Promise((resolve) => {
  const socket = net.createConnection(path);
  socket.once('connect', () => { files.push('connects to ' + path); socket.destroy(); resolve(); });
  socket.once('error', resolve);
}))).then(() => console.log(JSON.stringify({ files, processes })));
`;

/** Another user of the machine tries everything on all files below these folders, and on every process that is not theirs. */
export async function tryEverything(
  world: World,
  ownFolder: string,
  roots: readonly string[],
): Promise<Loot> {
  return JSON.parse(await asStranger(world, TRY_EVERYTHING, ownFolder, ...roots)) as Loot;
}

/** Runs a script as another user, in the world of the first one. */
export async function asStranger(world: World, script: string, ...args: string[]): Promise<string> {
  const become = ['setpriv', '--reuid', NOBODY, '--regid', NOBODY, '--clear-groups', '--no-new-privs'];
  const ran = await world.run([...become, process.execPath, '-e', script, ...args]);
  if (ran.exitCode !== 0) throw new Error(ran.stderr);
  return ran.stdout.trim();
}
