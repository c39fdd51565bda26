import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookAction, HookAgent } from '../../../src/ports/hook-config.ts';
import { HookRoom } from './hook-room.ts';

let room: HookRoom;
beforeEach(() => {
  room = new HookRoom();
});
afterEach(() => room.remove());

const AGENTS = ['claude', 'codex', 'gemini'] as const;
const USER = '{"permissions":{"allow":["Bash(old)"]}}';
const APPROVED = '{"permissions":{"allow":["Bash(old)","Bash(approved by a person)"]}}';

/** Ways to write, in two steps: what was done before rollcall came, and what is done in the middle. */
const WAYS = [
  ['in place', (path: string) => () => room.write(path, APPROVED)],
  ['by a rename', (path: string) => () => renameSync(room.write(`${path}.theirs`, APPROVED), path)],
  [
    'through a file that was opened before',
    (path: string) => {
      const open = openSync(path, 'r+');
      return () => {
        writeSync(open, APPROVED, 0);
        closeSync(open);
      };
    },
  ],
] as const;

/** When somebody else is at work: rollcall looks for writers directly before and after the step, and pauses at the end. */
const MOMENTS = ['before the step', 'after the step', 'at the end'] as const;

/** Plans and carries out; somebody else is at work at one moment. */
function during(
  action: HookAction,
  agents: readonly HookAgent[],
  moment: (typeof MOMENTS)[number],
  work: () => void,
) {
  let looks = 0;
  let isDone = false;
  const once = (isNow: boolean) => {
    if (isNow && !isDone) {
      isDone = true;
      work();
    }
  };
  const { applied } = room.do(action, agents, 'user', {
    findWriter() {
      looks += 1;
      once(moment === MOMENTS[looks - 1]);
      return null;
    },
    pause: () => once(moment === 'at the end'),
  });
  expect(isDone).toBe(true);
  return applied;
}

describe('what somebody writes while rollcall writes', () => {
  it.each(
    AGENTS.flatMap((agent) =>
      WAYS.flatMap(([way, write]) => MOMENTS.map((moment) => [agent, way, moment, write] as const)),
    ),
  )('stays beside the hooks of an installation: %s, %s, %s', (agent, _way, moment, write) => {
    const path = room.write(room[agent], USER);
    const applied = during('install', [agent], moment, write(path));
    expect(applied).toMatchObject({ state: 'done', kept: [] });
    expect(room.read(path)).toContain('approved by a person');
    expect(room.read(path)).toContain('hook.sh');
    expect(readdirSync(dirname(path))).toEqual([path.slice(dirname(path).length + 1)]);
  });

  it.each(MOMENTS)('stays after a removal: %s', (moment) => {
    room.write(room.claude, USER);
    room.do('install', ['claude']);
    expect(during('remove', ['claude'], moment, () => room.write(room.claude, APPROVED)).state).toBe('done');
    expect(room.read(room.claude)).toBe(APPROVED);
  });

  it('stays where a file that the installation made would go', () => {
    room.do('install', ['codex']);
    const open = openSync(room.codex, 'r+');
    const write = () => {
      writeSync(open, APPROVED.padEnd(2000), 0);
      closeSync(open);
    };
    expect(during('remove', ['codex'], 'at the end', write)).toMatchObject({ state: 'done', kept: [] });
    expect(room.read(room.codex)?.trim()).toBe(APPROVED);
  });

  it('finds its folder still there, also where it has just removed its file to write it again', () => {
    room.do('install', ['codex']);
    const folder = dirname(room.codex);
    const changedAt = () => statSync(folder, { bigint: true }).mtimeNs;
    const rewrite = () => {
      const before = changedAt();
      // The clock of a file system has coarse steps.
      while (changedAt() === before) unlinkSync(room.write(room.codex, APPROVED));
    };
    expect(during('remove', ['codex'], 'at the end', rewrite).state).toBe('done');
    expect(existsSync(folder)).toBe(true);
  });

  it.each(['install', 'remove'] as const)(
    'stays in a plugin that nobody had changed before: %s',
    (action) => {
      room.do('install', ['opencode'], 'user', {
        gate: { folder: room.gate, node: '/old', program: '/old' },
      });
      const open = openSync(room.opencode, 'a');
      const write = () => {
        writeSync(open, '// mine\n');
        closeSync(open);
      };
      const applied = during(action, ['opencode'], 'at the end', write);
      expect(applied).toMatchObject({ state: 'done', kept: [] });
      expect(applied.backups.map(({ backup }) => room.read(backup)?.endsWith('// mine\n'))).toEqual([true]);
    },
  );

  it('is never replaced behind a link, also when the link leads elsewhere meanwhile', () => {
    const target = room.write(join(room.home, 'dotfiles/claude.json'), USER);
    const other = room.write(join(room.home, 'dotfiles/other.json'), APPROVED);
    room.write(`${room.claude}.not`, '');
    symlinkSync(target, room.claude);
    const turned = () => {
      symlinkSync(other, `${room.claude}.next`);
      renameSync(`${room.claude}.next`, room.claude);
    };
    expect(during('install', ['claude'], 'before the step', turned).state).toBe('done');
    expect(room.read(target)).toBe(USER);
    expect(room.read(other)).toContain('approved by a person');
  });

  it('is kept and named where two wrote, and one of them had not read what the other wrote', () => {
    const path = room.write(room.claude, USER);
    const open = openSync(path, 'r+');
    const both = () => {
      const seen = room.read(path) ?? '';
      writeSync(open, APPROVED, 0);
      closeSync(open);
      room.write(path, seen.replace('{', '{"other":1,'));
    };
    const applied = during('install', ['claude'], 'at the end', both);
    expect(applied).toMatchObject({ state: 'done', kept: [{ file: path }] });
    expect(room.read(applied.kept[0]?.backup ?? '')).toBe(APPROVED);
    expect(room.mode(applied.kept[0]?.backup ?? '')).toBe(0o600);
    expect(room.read(path)).toContain('"other":1');
    expect(room.config().status(['claude'])[0]?.kept).toEqual([applied.kept[0]?.backup]);
  });

  it('is kept and named where it was out of its place while somebody else read the file', () => {
    const path = room.write(room.claude, USER);
    const open = openSync(path, 'r+');
    let seen = '';
    let looks = 0;
    const { applied } = room.do('install', ['claude'], 'user', {
      // After the step one writes to the old file while another reads the new one. It writes once the old one is back.
      findWriter() {
        looks += 1;
        if (looks !== 2) return null;
        seen = room.read(path) ?? '';
        writeSync(open, APPROVED, 0);
        closeSync(open);
        return null;
      },
      pause() {
        if (seen !== '') room.write(path, seen.replace('{', '{"other":1,'));
        seen = '';
      },
    });
    expect(applied).toMatchObject({ state: 'done', kept: [{ file: path }] });
    expect(room.read(applied.kept[0]?.backup ?? '')).toBe(APPROVED);
    expect(room.read(path)).toContain('"other":1');
  });

  it('is waited for while somebody has the file open, and they are named in the end', () => {
    const path = room.write(room.claude, USER);
    let looks = 0;
    const soon = () => {
      looks += 1;
      return looks < 3 ? 4711 : null;
    };
    expect(room.do('install', ['claude'], 'user', { findWriter: soon }).applied.state).toBe('done');
    room.do('remove', ['claude']);
    expect(room.do('install', ['claude'], 'user', { findWriter: () => 4711 }).applied).toMatchObject({
      state: 'failed',
      problem: { file: path, text: 'process 4711 has it open for writing', hint: 'try again' },
    });
    expect(room.read(path)).toBe(USER);
  });

  it('is not lost where the file was not there before: the records are written first', () => {
    const config = room.config();
    const plan = config.plan('install', ['claude', 'codex'], 'user');
    room.write(room.codex, APPROVED);
    expect(config.apply(plan).state).toBe('failed');
    expect(room.read(room.codex)).toBe(APPROVED);
    expect(existsSync(room.claude)).toBe(false);
  });

  it('stops it halfway where it cannot be read any more: what was written before is named, with what it was', () => {
    room.write(room.codex, USER);
    room.write(room.claude, USER);
    let looks = 0;
    const { applied } = room.do('install', ['claude', 'codex'], 'user', {
      findWriter() {
        looks += 1;
        if (looks === 3) room.write(room.claude, '{"half');
        return null;
      },
    });
    const backup = room.backup(room.codex, '20261115T080000Z');
    expect(applied).toMatchObject({
      state: 'failed',
      written: [room.script, room.codex],
      backups: [{ file: room.codex, backup }],
      problem: { file: room.claude },
    });
    expect([room.read(backup), room.read(room.claude)]).toEqual([USER, '{"half']);
  });
});
