import { givenTo, type Member, NOWHERE, type Standing } from './member.ts';
import { belongingTo, running } from './processes.ts';
import type { Room } from './room.ts';

/** How sessions of a batch stand now, by tmux and the kernel alone. */
export async function standings(room: Room, members: readonly Member[]): Promise<Map<Member, Standing>> {
  const labels = [...new Set(members.map(({ label }) => label))];
  const all = running();
  const found = new Map<Member, Standing>();
  for (const label of labels) {
    const listed = (await room.tryTmux(label, ['list-panes', '-a', '-F', FORMAT])) ?? '';
    const panes = listed.split('\n').flatMap((line) => {
      const [sessionId = '', id = '', pid = '0'] = line.split(' ');
      return id === '' ? [] : [{ sessionId, id, pid: Number(pid) }];
    });
    const screens = await screensOf(room, label, [...new Set(panes.map(({ id }) => id))]);
    for (const member of members.filter((one) => one.label === label)) {
      const own = panes.filter(({ sessionId }) => sessionId === member.sessionId);
      if (own.length === 0) {
        found.set(member, { ...NOWHERE, given: givenTo(member.file) });
        continue;
      }
      const places = own.map(({ id, pid }) => ({ pane: `${room.socket(label)} ${id}`, pid }));
      found.set(member, {
        isThere: true,
        panes: own.map(({ id, pid }) => ({ id, pid })),
        processes: belongingTo(all, places),
        screens: new Map(own.map(({ id }) => [id, screens.get(id) ?? ''])),
        given: givenTo(member.file),
      });
    }
  }
  return found;
}

const FORMAT = '#{session_id} #{pane_id} #{pane_pid}';
const MARK = '=== next pane ===';

async function screensOf(room: Room, label: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const commands = ids.flatMap((id) => [
    ['capture-pane', '-p', '-S', '-', '-t', id],
    ['display-message', '-p', MARK],
  ]);
  const texts = (await room.tmux(label, ...commands)).split(`${MARK}`);
  return new Map(ids.map((id, index) => [id, (texts[index] ?? '').trim()]));
}
