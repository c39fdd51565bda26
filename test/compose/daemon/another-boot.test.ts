import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { daemonFiles, seeDaemon } from '../../../src/compose/daemon/control.ts';
import type { LockHolder } from '../../../src/core/lock/holder.ts';
import { DAEMON } from '../../../src/core/lock/subject.ts';
import type { Round } from '../../../src/core/supervision/round.ts';
import { standingOf } from '../../../src/engine/daemon/standing-observer.ts';
import type { Locks } from '../../../src/ports/lock.ts';
import { roll } from '../../cli/render/samples.ts';
import { pressure } from '../../core/supervision/supervision-samples.ts';
import { STANDING } from '../../engine/daemon/supervised.ts';

const SELF = { pid: 7, startTicks: 70, bootId: 'this-boot' };
const ROUND: Round = {
  ...{ number: 1, now: { at: 1000, awakeMs: 500, suspendedMs: 0 }, roll: roll([]), pressure: pressure() },
  ...{ reaper: STANDING, changes: [], wokenBy: [], missedHints: 0, nextInMs: 10_000 },
  ...{ settle: { mode: 'on', due: [] }, cost: { wallMs: 1, cpuMs: 1 } },
};
const holder: LockHolder = { ...SELF, ...DAEMON, since: 1, task: null, argv: [], runner: null };
const locks = { holderOf: () => holder } as unknown as Locks;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'standing-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['of this boot', { bootId: 'this-boot' }, true],
  ['of another boot, in which a daemon had its pid', { bootId: 'last-boot' }, false],
  ['of an older daemon, which does not say of which boot', {}, true],
])('S35: what a daemon wrote of its rounds counts where it is %s', (_, boot, counts) => {
  const files = daemonFiles(folder);
  const nowhere = { url: null, socket: null, tokenFile: null, problems: [] };
  files.note.save({ format: 1, ...SELF, startedAt: 1, ...nowhere });
  files.standing.save(standingOf(ROUND, { pid: 7, ...boot }, 0));
  const seen = seeDaemon(locks, files);
  expect(seen.state === 'running' && seen.note !== null && seen.standing !== null).toBe(counts);
});
