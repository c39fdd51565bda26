import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/core/ledger/entry.ts';
import { complete } from '../../../src/engine/act/complete.ts';
import { until } from '../../support/until.ts';
import { factsIn } from '../act/acting-room.ts';
import { SettlingRoom } from './settling-room.ts';

let room: SettlingRoom;
beforeEach(() => {
  room = new SettlingRoom();
});
afterEach(() => room.leave());

const done = { outcome: 'done', task: null, evidence: [], blockers: [], fromPane: null } as const;
const look = async (name: string) => room.entry(await room.eyes(), name);
const overIn = async (name: string) =>
  (await look(name)).reasons.find(({ code }) => code === 'completion-over')?.text ?? '';
const completed = async (name: string) => factsIn(await room.eyes()).get((await look(name)).key)?.completion;

describe('laws 1 and 2: a completion speaks for what was there, and until it is used again', () => {
  it('so an agent that came later, or took another turn, stays', async () => {
    for (const name of ['split', 'replaced', 'again', 'agent']) await room.worker(name);
    await room.complete('split', 'replaced', 'again', 'agent');
    // Somebody else’s agent beside it, and one in its place.
    const beside = ['split-window', '-d', '-c', room.tmux.folder, '-t'];
    await room.tmux.tmux(...beside, '=split:', ...room.agents.argv('other', 'leaves'));
    await room.tmux.tmux('respawn-pane', '-k', '-t', '=replaced:', ...room.agents.argv('heir', 'leaves'));
    await room.agents.pid('other');
    await room.agents.pid('heir');
    await room.agents.say('again', 'working');
    await look('again');
    await room.agents.say('again', 'idle');
    const settler = room.compose();
    expect(await room.until(settler, 'closed')).toMatchObject([{ session: { name: 'agent' } }]);
    const { events, standing } = await room.round(settler);
    expect([events, standing.due]).toEqual([[], []]);
    expect((await room.names()).sort()).toEqual(['again', 'replaced', 'split']);
    expect(await overIn('split')).toContain('it was not said of this pane');
    expect(await overIn('replaced')).toContain('another scripted ran in it since');
    expect(await overIn('again')).toContain('a new turn has begun since');
    // Who says it again speaks for what is there now.
    await room.complete('again');
    expect(await overIn('again')).toBe('');
    await settler.stop();
  });

  it('and so does a shell in which something was entered since', async () => {
    await room.shell('typed');
    await room.complete('typed');
    await room.tmux.tmux('send-keys', '-t', '=typed:', 'token=1', 'Enter');
    const screen = () => room.tmux.tmux('capture-pane', '-p', '-t', '=typed:');
    await until('it was entered', async () => (await screen()).trimEnd().endsWith('\n$'));
    const settler = room.compose();
    for (let round = 0; round < 3; round += 1) {
      const { events, standing } = await room.round(settler);
      expect([events, standing.due]).toEqual([[], []]);
    }
    expect(await overIn('typed')).toContain('something was entered in it since');
    await settler.stop();
  });

  it('also where a close was on its way when that was entered, and stopped, or its closer was killed', async () => {
    const names = ['stopped', 'killed'];
    for (const name of names) await room.shell(name);
    await room.complete(...names);
    const { ledger } = await room.eyes();
    const { pid } = spawnSync('true');
    const actor: Actor = { kind: 'cli', pid, user: 'ann' };
    const begin = async (name: string, by: { readonly actor?: Actor }) => {
      const session = { key: (await look(name)).key, name };
      const body = { archive: null };
      return ledger.append({ kind: 'intent', action: 'close', session, body, ...by });
    };
    const { sequence: cause, session } = await begin('stopped', {});
    await begin('killed', { actor });
    for (const name of names) {
      await room.tmux.tmux('send-keys', '-t', `=${name}:`, 'token=1', 'Enter');
      const screen = () => room.tmux.tmux('capture-pane', '-p', '-t', `=${name}:`);
      await until('it was entered', async () => (await screen()).trimEnd().endsWith('\n$'));
    }
    // Looks meanwhile: of a close on its way nothing is concluded; a dead closer closes nothing.
    for (let times = 0; times < 2; times += 1) expect(await overIn('stopped')).toBe('');
    expect(await overIn('killed')).toContain('something was entered in it since');
    ledger.append({ kind: 'outcome', action: 'close', session, cause, body: { result: 'aborted' } });
    expect(await overIn('stopped')).toContain('something was entered in it since');
  });

  it('S30: one that is said in a turn, from inside, speaks for that turn and for its own pane', async () => {
    await room.worker('team');
    const beside = ['split-window', '-d', '-P', '-F', '#{pane_id}', '-c', room.tmux.folder, '-t', '=team:'];
    const mate = (await room.tmux.tmux(...beside, ...room.agents.argv('mate', 'leaves'))).trim();
    await room.agents.pid('mate');
    const lead = (await look('team')).panes.find(({ paneId }) => paneId !== mate)?.paneId ?? '';
    const declare = async (fromPane: string) =>
      complete(await room.eyes(), await look('team'), { ...done, fromPane });
    const say = async (fromPane: string) => (await declare(fromPane)).state;
    await room.agents.say('mate', 'working');
    expect(await declare(mate)).toMatchObject({
      state: 'declared',
      note: `this does not speak for ${lead}: name the session to speak for all of it`,
    });
    await room.agents.say('mate', 'idle');
    expect(await overIn('team')).toContain(`${lead}: it was not said of this pane`);
    // Once both have said it, it is about both; to say it again changes nothing.
    expect(await say(lead)).toBe('declared');
    expect(await overIn('team')).toBe('');
    const before = (await completed('team'))?.sequence;
    expect([await say(mate), await say(lead)]).toEqual(['already', 'already']);
    expect((await completed('team'))?.sequence).toBe(before);
    // The next turn is another matter, until its end is declared too.
    await room.agents.say('mate', 'working');
    await look('team');
    expect(await overIn('team')).toContain(`${mate}: a new turn has begun since`);
    expect(await say(mate)).toBe('declared');
    expect(await overIn('team')).toBe('');
    await room.agents.say('mate', 'idle');
    const lifecycle = async () => (await look('team')).lifecycle;
    await until('it may be closed', lifecycle, (found) => found === 'safe-to-close');
  });
});
