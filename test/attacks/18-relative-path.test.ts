import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasWorlds, World } from '../laws/world.ts';
import { ROLLCALL } from '../support/command.ts';

const PROGRAMS = ['tmux', 'git', 'stty', 'ps', 'systemctl', 'notify-send', 'claude', 'env', 'sh', 'mkfifo'];

describe.skipIf(!hasWorlds)('a PATH that names the folder in which one stands', () => {
  let world: World;
  let repository: string;
  let witness: string;

  beforeEach(async () => {
    world = await World.open();
    repository = join(world.folder, 'repository');
    witness = join(world.folder, 'witness');
    mkdirSync(join(repository, 'bin'), { recursive: true });
    const script = `#!/bin/bash\necho "$0 $*" >> ${witness}\n`;
    for (const name of PROGRAMS.flatMap((one) => [one, `bin/${one}`])) {
      writeFileSync(join(repository, name), script, { mode: 0o755 });
    }
  });
  afterEach(() => world.close());

  it('lets no repository have its programs run', async () => {
    const PATH = `bin::.:${world.env.PATH}`;
    const call = (...argv: string[]) =>
      world.sh(`cd ${repository} && PATH='${PATH}' exec ${ROLLCALL} ${argv.join(' ')}`);
    await world.session('other', 'exec sleep 1000');
    for (const words of [
      ['--json'],
      ['explain', 'other'],
      ['status'],
      ['hold', 'other'],
      ['agents'],
      ['doctor'],
    ]) {
      const ran = await call(...words);
      expect([words, ran.exitCode, ran.stderr]).toEqual([words, 0, '']);
    }
    expect(existsSync(witness) ? readFileSync(witness, 'utf8') : '').toBe('');
    // What the user starts is found as the user says.
    expect((await call('lock', '--', '/bin/bash', '-c', "'echo $PATH'")).stdout).toBe(`${PATH}\n`);
    expect((await call('lock', '--', 'systemctl')).exitCode).toBe(0);
    expect(readFileSync(witness, 'utf8')).toMatch(/systemctl/);
  });
});
