import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hungProgram, stopsFreely } from './gate-breakage.ts';
import type { Cast, GateRoom } from './gate-room.ts';
import { BY_THE_HOOK, expectAll } from './gate-words.ts';
import { NotReached } from './until.ts';

/** The same for an agent whose hook is a plugin: it is read when the agent starts, so each time the owner is started anew. */
export async function playPluginBreakage(
  room: GateRoom,
  cast: Cast,
  resume: (conversation: string) => string,
): Promise<void> {
  const path = join(room.dwelling.home, '.config', 'opencode', 'plugin', 'rollcall.ts');
  const whole = readFileSync(path, 'utf8');
  const again = async () => {
    const { conversation } = (await room.work()).owner;
    if (conversation === null) throw new NotReached('the work has no conversation');
    await room.kill(cast.owner);
    await room.launch(cast.owner, resume(conversation));
  };
  const changed = (name: string, change: () => void) =>
    stopsFreely(room, cast, name, [BY_THE_HOOK], async (work) => {
      change();
      try {
        await again();
        return await work();
      } finally {
        writeFileSync(path, whole);
      }
    });
  const calling = (program: string) => () => {
    const text = whole.replace(/^const program = .*$/m, `const program = ${JSON.stringify(program)}`);
    if (text === whole) throw new NotReached('the plugin names no program');
    writeFileSync(path, text);
  };
  await changed('plugin deleted', () => rmSync(path));
  const gone = join(room.dwelling.folder, 'bin', 'no-such-rollcall.cjs');
  await changed('rollcall not there any more', calling(gone));
  await changed('rollcall hangs', calling(hungProgram(room)));
  await room.scene('the plugin as it was', async () => {
    await room.begin(10);
    await again();
    expectAll('the owner', await room.turn(cast.owner, 'shirk'), { wentOn: 1 });
    return 'started anew once more: kept going';
  });
}
