import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identityOf, type SessionEntry } from '../../../src/core/sight/roll.ts';
import { cancel, complete } from '../../../src/engine/act/complete.ts';
import { adopt, hold, release, retain, unhold } from '../../../src/engine/act/declare-standing.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { run } from '../../../src/engine/act/run.ts';
import { ActingRoom, entriesOf, factsIn } from './acting-room.ts';

let room: ActingRoom;
let hands: Hands;
let entry: SessionEntry;
beforeEach(async () => {
  room = new ActingRoom();
  hands = await room.hands();
  await room.tmux.session('mine');
  entry = await room.entry(hands, 'mine');
});
afterEach(() => room.leave());

const facts = () => factsIn(hands).get(entry.key);
const actions = () => entriesOf(hands).map(({ kind, action }) => `${kind} ${action}`);
const done = { outcome: 'done', task: null, evidence: [], blockers: [], fromPane: null } as const;

describe('declarations', () => {
  it('hold and unhold are one entry each, and none where nothing changes', async () => {
    expect(await unhold(hands, entry)).toMatchObject({ state: 'already' });
    expect(await hold(hands, entry, 'mine')).toMatchObject({ state: 'declared' });
    expect(await hold(hands, entry, 'mine')).toMatchObject({ state: 'already' });
    expect(facts()?.held).toMatchObject({ reason: 'mine' });
    expect(await hold(hands, entry, 'ours')).toMatchObject({ state: 'declared' });
    expect(await unhold(hands, entry)).toMatchObject({ state: 'declared' });
    expect(facts()?.held).toBeNull();
    expect(actions()).toEqual(['declared hold', 'declared hold', 'declared unhold']);
  });

  it('a hold is marked, and one that is taken back is not, whatever somebody else does at that moment', async () => {
    const mark = () => room.tmux.tmux('display-message', '-p', '-t', '=mine:', '#{@rollcall_held}');
    /** Somebody else is quicker, once, around the first mark. */
    const meanwhile = (when: 'before' | 'after', other: () => Promise<unknown>): Hands => {
      let isOver = false;
      const markHeld: typeof hands.tmux.markHeld = async (...given) => {
        const isNow = !isOver;
        isOver = true;
        if (isNow && when === 'before') await other();
        const acted = await hands.tmux.markHeld(...given);
        if (isNow && when === 'after') await other();
        return acted;
      };
      return { ...hands, tmux: { ...hands.tmux, markHeld } };
    };
    const marked = expect.stringMatching(/^\d+$/);
    await hold(
      meanwhile('after', () => unhold(hands, entry)),
      entry,
      'mine',
    );
    expect([facts()?.held?.reason, await mark()]).toEqual(['mine', marked]);
    await unhold(
      meanwhile('before', () => hold(hands, entry, 'theirs')),
      entry,
    );
    expect([facts()?.held?.reason, await mark()]).toEqual(['theirs', marked]);
    await unhold(hands, entry);
    expect([facts()?.held, await mark()]).toEqual([null, '']);
  });

  it('a mark of another install stays where a hold cannot be recorded', async () => {
    const mark = () => room.tmux.tmux('display-message', '-p', '-t', '=mine:', '#{@rollcall_held}');
    await hands.tmux.markHeld(identityOf(entry), hands.now());
    const marked = await room.entry(hands, 'mine');
    expect(marked.protections.map(({ code }) => code)).toContain('held');
    const failed = { state: 'failed', text: 'no room', hint: 'make room' } as const;
    const full = { ...hands, writer: { ...hands.writer, hold: async () => failed } } as unknown as Hands;
    expect(await hold(full, marked, 'ours')).toMatchObject({ state: 'failed' });
    expect([facts(), await mark()]).toEqual([undefined, expect.stringMatching(/^\d+$/)]);
  });

  it('retain lasts until its time, and can be released', async () => {
    const until = hands.now() + 60_000;
    expect(await release(hands, entry)).toMatchObject({ state: 'already' });
    await retain(hands, entry, { until, reason: 'demo' });
    expect(await retain(hands, entry, { until, reason: 'demo' })).toMatchObject({ state: 'already' });
    expect(facts()?.retained).toMatchObject({ until, reason: 'demo' });
    expect(await release(hands, entry)).toMatchObject({ state: 'declared' });
    expect(facts()?.retained?.until).toBeLessThanOrEqual(hands.now());
    expect(await release(hands, entry)).toMatchObject({ state: 'already' });
  });

  it('S2, S29: belong to one generation: a session that takes the name later knows nothing of them', async () => {
    await hold(hands, entry, null);
    await complete(hands, entry, done);
    await room.tmux.session('other');
    await room.tmux.tmux('kill-session', '-t', '=mine');
    await room.tmux.session('mine');
    const later = (await hands.look()).sessions.find(
      ({ name, key, lifecycle }) => name === 'mine' && key !== entry.key && lifecycle !== 'lost',
    );
    expect(later).toBeDefined();
    expect(factsIn(hands).get(later?.key ?? '')).toBeUndefined();
  });

  it('are recorded by one writer at a time', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => room.hands()));
    const made = await Promise.all(all.map((each) => hold(each, entry, 'mine')));
    expect(made.filter(({ state }) => state === 'declared')).toHaveLength(1);
    expect(made.filter(({ state }) => state === 'already')).toHaveLength(19);
    expect(actions()).toEqual(['declared hold']);
    expect(hands.ledger.verify().damage).toBeNull();
  });
});

describe('adopt', () => {
  it('takes a session in and stamps its panes', async () => {
    await room.tmux.tmux('split-window', '-t', '=mine:', 'sleep', '1000');
    entry = await room.entry(hands, 'mine');
    const { as, unstamped } = await adopt(hands, entry, { role: 'worker', task: 'T-1' });
    expect([as, unstamped]).toEqual(['adopt', []]);
    expect(facts()).toMatchObject({
      origin: { how: 'adopted', place: { sessionId: entry.sessionId } },
      claims: { role: 'worker', task: 'T-1', owner: null },
    });
    const stamps = await room.tmux.tmux(
      'list-panes',
      '-s',
      '-F',
      '#{@rollcall_role} #{@rollcall_run}',
      '-t',
      '=mine',
    );
    const run = entriesOf(hands)[0]?.body.run;
    expect(stamps.split('\n')).toEqual([`worker ${run}`, `worker ${run}`]);
  });

  it('records only what is new of a session that is in its care, and nothing otherwise', async () => {
    const ran = await run(hands, room.wish({ claims: { task: 'T-1' } }));
    if (ran.state !== 'started' || ran.entry === null) throw new Error(JSON.stringify(ran));
    entry = ran.entry;
    const { run: word } = entriesOf(hands)[0]?.body ?? {};
    expect(await adopt(hands, entry, {})).toMatchObject({ as: 'claim', declared: { state: 'already' } });
    expect(await adopt(hands, entry, { task: 'T-1' })).toMatchObject({ declared: { state: 'already' } });
    expect(await adopt(hands, entry, { pr: '34' })).toMatchObject({
      as: 'claim',
      declared: { state: 'declared' },
    });
    expect(facts()).toMatchObject({ origin: { how: 'started' }, claims: { task: 'T-1', pr: '34' } });
    const stamp = [
      'display-message',
      '-p',
      '-t',
      entry.panes[0]?.paneId ?? '',
      '#{@rollcall_run} #{@rollcall_task}',
    ];
    expect(await room.tmux.tmux(...stamp)).toBe(`${word} T-1`);
  });

  it('holds where tmux could not be told', async () => {
    const stamp = async () => ({ state: 'failed', text: 'no answer' }) as const;
    const mute = await room.hands({ tmux: { ...hands.tmux, stamp } });
    const { declared, unstamped } = await adopt(mute, entry, {});
    expect(declared.state).toBe('declared');
    expect(unstamped).toEqual([expect.stringMatching(/^%\d+: no answer/)]);
  });

  it('is refused where it is gone by then', async () => {
    await room.tmux.session('other');
    await room.tmux.tmux('kill-session', '-t', '=mine');
    const { declared, unstamped } = await adopt(hands, entry, {});
    expect(declared).toMatchObject({ state: 'refused', refusal: { exit: 'not-found' } });
    expect(unstamped).toEqual([]);
  });
});

describe('complete', () => {
  it('is durable, and said once', async () => {
    const wish = { ...done, task: 'T-1', evidence: ['abc123'] };
    expect(await complete(hands, entry, wish)).toMatchObject({ state: 'declared' });
    expect(await complete(await room.hands(), entry, wish)).toMatchObject({ state: 'already' });
    expect(facts()).toMatchObject({
      completion: { outcome: 'done', body: { evidence: ['abc123'] } },
      claims: { task: 'T-1' },
    });
    expect(actions()).toEqual(['declared complete']);
  });

  it('S29: for another task is refused and schedules nothing', async () => {
    await adopt(hands, entry, { task: 'T-1' });
    expect(await complete(hands, entry, { ...done, task: 'T-2' })).toEqual({
      state: 'refused',
      refusal: { task: 'T-1' },
    });
    expect(facts()?.completion).toBeNull();
  });

  it('keeps what is missing, and is accepted once nothing is', async () => {
    const blockers = [{ code: 'not-clean', text: '1 uncommitted file' }];
    await complete(hands, entry, { ...done, blockers });
    expect(facts()?.completion?.body.blockers).toEqual(blockers);
    await complete(hands, entry, done);
    expect(facts()?.completion?.body.blockers).toBeUndefined();
  });

  it('can be taken back', async () => {
    expect(await cancel(hands, entry)).toMatchObject({ state: 'already' });
    await complete(hands, entry, done);
    expect(await cancel(hands, entry)).toMatchObject({ state: 'declared' });
    expect(facts()?.completion).toBeNull();
    expect(await complete(hands, entry, done)).toMatchObject({ state: 'declared' });
  });

  it('S54: records no raw control character as evidence', async () => {
    await complete(hands, entry, { ...done, evidence: ['\u001b[31mred'] });
    expect(facts()?.completion?.body.evidence).toEqual(['\\e[31mred']);
  });
});
