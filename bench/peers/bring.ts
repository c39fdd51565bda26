import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Brings a package of npm into a folder, without running anything that comes with it; gives the folder of its modules. */
export async function bringPackages(folder: string, packages: readonly string[]): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefix', folder];
  await run('npm', ['install', ...flags, ...packages], { cwd: folder }).catch(notInstalled);
  return join(folder, 'node_modules');
}

/** The program of a package of Debian: the one that is installed, or one unpacked into a folder. */
export async function bringDebian(folder: string, name: string): Promise<string> {
  const has = async (file: string) =>
    run(file, ['-V']).then(
      () => true,
      () => false,
    );
  if (await has(name)) return name;
  mkdirSync(folder, { recursive: true });
  const download = () => run('apt-get', ['download', '-q', name], { cwd: folder });
  await download()
    .catch(async (cause) => {
      if (process.getuid?.() !== 0) throw cause;
      await run('apt-get', ['update', '-q']);
      return download();
    })
    .catch(notInstalled);
  const archive = readdirSync(folder).find((file) => file.endsWith('.deb')) ?? '';
  await run('dpkg-deb', ['-x', join(folder, archive), folder]);
  const program = join(folder, 'usr/bin', name);
  if (!(await has(program))) throw new Error('not installed: it does not start here');
  return program;
}

function notInstalled(cause: Error & { stderr?: string }): never {
  const said = (cause.stderr ?? cause.message).split('\n').find((line) => /error|^E:/i.test(line));
  throw new Error(`not installed: ${said?.trim() ?? 'it could not be had'}`, { cause });
}
