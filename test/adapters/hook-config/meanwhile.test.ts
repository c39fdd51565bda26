import { existsSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookAction, HookAgent } from '../../../src/ports/hook-config.ts';
import { HookRoom, NOW } from './hook-room.ts';

let room: HookRoom;
beforeEach(() => {
  room = new HookRoom();
});
afterEach(() => room.remove());

const AGENTS = ['claude', 'codex', 'gemini'] as const;
const USER = '{"permissions":{"allow":["Bash(old)"]}}';
const APPROVED = '{"permissions":{"allow":["Bash(old)","Bash(approved by a person)"]}}';

const inPlace = (path: string) => room.write(path, APPROVED);
const byRename = (path: string) => renameSync(room.write(`${path}.theirs`, APPROVED), path);

/** Plans and carries out; somebody else is at work when the backup is made. */
function during(action: HookAction, agents: readonly HookAgent[], work: () => void) {
  let isDone = false;
  return room.do(action, agents, 'user', {
    now() {
      if (!isDone) work();
      isDone = true;
      return NOW;
    },
  }).applied;
}

describe('what somebody writes while rollcall writes', () => {
  it.each(
    AGENTS.flatMap((agent) => [
      [agent, 'in place', inPlace] as const,
      [agent, 'by a rename', byRename] as const,
    ]),
  )('is never replaced by an installation: %s, %s', (agent, _way, write) => {
    const path = room.write(room[agent], USER);
    expect(during('install', [agent], () => write(path))).toMatchObject({
      state: 'failed',
      backups: [],
      problem: { file: path, text: 'it has changed since it was looked at', hint: 'try again' },
    });
    expect(room.read(path)).toBe(APPROVED);
    expect(readdirSync(dirname(path))).toEqual([path.slice(dirname(path).length + 1)]);
    expect(room.do('install', [agent]).applied.state).toBe('done');
    expect(room.read(path)).toContain('approved by a person');
    expect(room.read(path)).toContain('hook.sh');
  });

  it('is never replaced by a removal', () => {
    room.write(room.claude, USER);
    room.do('install', ['claude']);
    expect(during('remove', ['claude'], () => inPlace(room.claude)).state).toBe('failed');
    expect(room.read(room.claude)).toBe(APPROVED);
  });

  it('is never replaced behind a link, also when the link leads elsewhere meanwhile', () => {
    const target = room.write(join(room.home, 'dotfiles/claude.json'), USER);
    const other = room.write(join(room.home, 'dotfiles/other.json'), APPROVED);
    room.write(`${room.claude}.not`, '');
    symlinkSync(target, room.claude);
    const turned = () => {
      symlinkSync(other, `${room.claude}.next`);
      renameSync(`${room.claude}.next`, room.claude);
    };
    expect(during('install', ['claude'], turned).state).toBe('failed');
    expect([room.read(target), room.read(other)]).toEqual([USER, APPROVED]);
  });

  it('is not lost where the file was not there before: the records are written first', () => {
    const config = room.config();
    const plan = config.plan('install', ['claude', 'codex'], 'user');
    room.write(room.codex, APPROVED);
    expect(config.apply(plan).state).toBe('failed');
    expect(room.read(room.codex)).toBe(APPROVED);
    expect(existsSync(room.claude)).toBe(false);
  });

  it('stops it halfway: what was written before is named, with what it was', () => {
    room.write(room.codex, USER);
    room.write(room.claude, USER);
    const applied = during('install', ['claude', 'codex'], () => inPlace(room.claude));
    const backup = `${room.codex}.rollcall-backup-20261115T080000Z`;
    expect(applied).toMatchObject({
      written: [room.script, room.codex],
      backups: [{ file: room.codex, backup }],
      problem: { file: room.claude },
    });
    expect(room.read(backup)).toBe(USER);
  });
});
