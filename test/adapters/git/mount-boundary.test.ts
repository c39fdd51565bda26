import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../support/bundle.ts';
import { GitFixture } from './git-fixture.ts';

// A mount namespace of one's own needs no root and goes with the process.
const UNSHARE = ['--map-root-user', '--mount', 'sh', '-ec'];
const hasPrivateMounts = (() => {
  try {
    execFileSync('unshare', [...UNSHARE, 'mount -t tmpfs none /tmp'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

let fixture: GitFixture;
beforeAll(async () => {
  fixture = new GitFixture();
  await bundle({
    input: join(import.meta.dirname, '../../../src/adapters/git/git-sensor.ts'),
    ...{ file: fixture.path('sensor.mjs'), format: 'esm' },
  });
});
afterAll(() => fixture.remove());

describe('a mount inside a work tree', () => {
  it.runIf(hasPrivateMounts)('belongs to no repository, as git sees it too', () => {
    const root = fixture.repository();
    mkdirSync(join(root, 'mount/inner'), { recursive: true });
    const script = fixture.path('script.mjs');
    writeFileSync(
      script,
      `import { createGitSensor } from './sensor.mjs';
       const sensor = createGitSensor({ env: process.env, now: Date.now, timeoutMs: 15_000 });
       console.log(JSON.stringify(await sensor.sense(process.argv.slice(2))));`,
    );
    const look = (preparation: string) => {
      const shell = `${preparation}; exec "$0" "$@"`;
      const argv = [...UNSHARE, shell, process.execPath, script, join(root, 'mount/inner')];
      const printed = execFileSync('unshare', argv, { env: fixture.env, encoding: 'utf8' });
      return (JSON.parse(printed) as { state: string }[])[0]?.state;
    };
    const mount = `mount -t tmpfs none '${root}/mount'; mkdir '${root}/mount/inner'`;
    expect(look(':')).toBe('repository');
    expect(look(mount)).toBe('none');
  });
});
