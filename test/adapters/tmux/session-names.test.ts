import { beforeEach, describe, expect, it } from 'vitest';
import type { PrivateTmux } from '../../support/private-tmux.ts';
import { onlyServer, type Present, sensorOf, tableOf } from './look.ts';
import { folderOf, openRoom } from './room.ts';

const room = openRoom();
let tmux: PrivateTmux;

beforeEach(() => {
  tmux = room.newServer();
});

async function look(): Promise<Present> {
  const sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)] });
  return onlyServer(await sensor.sense(() => tableOf(tmux.serverPid)));
}

describe('S9: names of every kind', () => {
  // tmux expands formats in the names it is given, so `##` stands for one `#`.
  it.each([
    ['hyphen-ated', 'hyphen-ated'],
    ['-leading', '-leading'],
    ['with  two spaces ', 'with  two spaces '],
    ['ünïcödé 会話 🤖', 'ünïcödé 会話 🤖'],
    ['##{pid}##{session_id}', '#{pid}#{session_id}'],
    ['##(touch hacked)', '#(touch hacked)'],
    ['a,b;c"d\'e\\\\f', undefined],
    ['x'.repeat(300), 'x'.repeat(300)],
  ])('keeps %s apart from its neighbours', async (given, name) => {
    const { sessionId, paneId } = await tmux.session(given, 'sleep', '1000');
    await tmux.session('neighbour', 'sleep', '1000');
    const server = await look();
    expect(server.sessions.length).toBe(2);
    const session = server.sessions.find((each) => each.sessionId === sessionId);
    expect(session?.panes.map((pane) => pane.paneId)).toEqual([paneId]);
    expect(session?.name).toBe(
      name ?? (await tmux.tmux('display-message', '-p', '-t', paneId, '#{session_name}')),
    );
  });

  it('takes dots and colons as tmux keeps them', async () => {
    const { sessionId, paneId } = await tmux.session('a.b:c', 'sleep', '1000');
    const kept = await tmux.tmux('display-message', '-p', '-t', paneId, '#{session_name}');
    expect((await look()).sessions).toMatchObject([{ sessionId, name: kept }]);
  });

  it('S54: takes escapes, tabs, newlines and bidi controls out of names, titles and commands', async () => {
    const command = 'exec sleep 1000 # \u001b]0;x\u0007\t\n\u202e';
    // tmux 3.7 refuses such a name itself.
    const { paneId } = await tmux
      .session('na\u202eme\tta\u001b[31mb\nnl', 'sh', '-c', command)
      .catch(() => tmux.session('plain', 'sh', '-c', command));
    await tmux.tmux('select-pane', '-t', paneId, '-T', 'ti\u202etle\u200b 会');
    const [session, ...others] = (await look()).sessions;
    expect(others).toEqual([]);
    expect(session?.name).toMatch(/^(na\\u\{202e\}me.*nl|plain)$/);
    expect(session?.panes[0]?.title).toBe('ti\\u{202e}tle\\u{200b} 会');
    const unsafe = /[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e]/;
    expect(JSON.stringify(session)).not.toMatch(unsafe);
    expect(session?.panes[0]?.startCommand).toContain('exec sleep 1000');
  });
});
