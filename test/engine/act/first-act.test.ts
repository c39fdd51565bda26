import { describe, expect } from 'vitest';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { until } from '../../support/until.ts';
import { type ClosingRoom, lives, outcomesIn, SHELL } from './closing-room.ts';
import { test } from './closing-test.ts';

/** Hands of a close that is held up right after it was decided and archived: `meanwhile` happens there. */
function heldUp(
  room: ClosingRoom,
  hands: Hands,
  meanwhile: (times: number) => Promise<void>,
): Promise<Hands> {
  let times = 0;
  const history: Hands['tmux']['history'] = async (pane) => {
    const kept = await hands.tmux.history(pane);
    times += 1;
    await meanwhile(times);
    return kept;
  };
  return room.hands({ tmux: { ...hands.tmux, history } });
}

/** Enters a line, and waits until it is answered. */
async function enter(room: ClosingRoom, paneId: string, line: string, answer = line): Promise<void> {
  await room.tmux.tmux('send-keys', '-t', paneId, line, 'Enter');
  const screen = () => room.tmux.tmux('capture-pane', '-p', '-t', paneId);
  await until(`${answer} is shown`, async () => (await screen()).includes(answer));
}

function archivesIn(hands: Hands): readonly string[] {
  return hands.ledger
    .read()
    .entries.flatMap(({ kind, body }) => (kind === 'intent' ? [String(body.archive)] : []));
}

describe.concurrent('S39: between the decision and the first act', () => {
  test('a whole turn has it decided and archived anew', async ({ staying: room, hands }) => {
    const { paneId, pid } = await room.agent('worker', 'leaves');
    const closer = await heldUp(room, hands, async (times) => {
      if (times === 1) await enter(room, paneId, 'second prompt', 'second prompt?');
    });
    expect(await room.close(closer, 'worker')).toMatchObject({ state: 'closed' });
    expect([lives(pid), outcomesIn(hands)]).toEqual([false, ['aborted', 'done']]);
    const kept = archivesIn(hands).map((id) =>
      hands.archive.screens(id, paneId)[0]?.includes('second prompt?'),
    );
    expect(kept).toEqual([false, true]);
  });

  test('an agent that never stands still is left alone, and it is said why', async ({
    staying: room,
    hands,
  }) => {
    const { paneId, pid } = await room.agent('worker', 'leaves');
    const closer = await heldUp(room, hands, (times) => enter(room, paneId, `prompt ${times}`, `${times}?`));
    expect(await room.close(closer, 'worker')).toMatchObject({
      state: 'aborted',
      text: expect.stringMatching(/^it did not stand still since it was decided: /),
      hint: expect.stringContaining('close it again'),
      rungs: [{ rung: 'archive' }],
    });
    expect([lives(pid), new Set(outcomesIn(hands))]).toEqual([true, new Set(['aborted'])]);
  });

  test('a redraw right after the decision has it looked at anew, and is no lack of time', async ({
    staying: room,
    hands,
  }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const confirmed = { code: 'confirmed', kind: 'would-lose', text: 'seen quiet for under 1 s' } as const;
    let decisions = 0;
    const look: Hands['look'] = async (options) => {
      const roll = await hands.look(options);
      if (options?.withoutGit !== false) return roll;
      decisions += 1;
      // The first look of the close decides, the second one is about to archive.
      if (decisions !== 2) return roll;
      const restless = (entry: SessionEntry): SessionEntry => {
        const { checks, evidence } = entry;
        return { ...entry, checks, evidence, lifecycle: 'active', blockers: [confirmed] };
      };
      return { ...roll, sessions: roll.sessions.map(restless) };
    };
    const entry = await room.entry(hands, 'worker');
    expect(await room.close({ ...hands, look }, entry)).toMatchObject({ state: 'closed' });
    expect([lives(pid), outcomesIn(hands).at(-1)]).toEqual([false, 'done']);
    expect(decisions).toBeGreaterThanOrEqual(4);
  });

  test('work without a trace on the screen counts too', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    // As if its programs had been at work when the first act was due.
    let lostMs = 0;
    const less = (one: Evidence) =>
      one.kind === 'history' ? { ...one, quietMs: one.quietMs - lostMs } : one;
    const look: Hands['look'] = async (options) => {
      const roll = await hands.look(options);
      const sessions = roll.sessions.map((entry) => {
        const { checks, blockers, evidence } = entry;
        return { ...entry, checks, blockers, evidence: evidence.map(less) };
      });
      return { ...roll, sessions };
    };
    const closer = await heldUp(room, hands, async () => {
      lostMs = 1_000_000;
    });
    expect(await room.close({ ...closer, look }, 'worker')).toMatchObject({ state: 'closed' });
    const ends = hands.ledger.read().entries.filter(({ kind }) => kind === 'outcome');
    expect(ends.map(({ body }) => body)).toMatchObject([
      { result: 'aborted', text: expect.stringContaining('its programs were at work') },
      { result: 'done' },
    ]);
  });

  test('what is entered in a shell beside the agent stops it', async ({ staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const split = ['split-window', '-d', '-t', '=worker:', '-P', '-F', '#{pane_id}', 'sh', '-c', SHELL];
    const shell = await room.tmux.tmux(...split);
    const closer = await heldUp(room, hands, async (times) => {
      // The next prompt: until then it only stands there.
      if (times === 2) await enter(room, shell, 'x=1', 'x=1\n$');
    });
    const thorough = async () => (await closer.look({ inspect: (all) => all })).sessions;
    const sessions = await until('both are at rest', thorough, (all) =>
      all.some(
        ({ name, blockers }) => name === 'worker' && blockers.every(({ kind }) => kind === 'unfinished'),
      ),
    );
    const entry = sessions.find(({ name }) => name === 'worker') as SessionEntry;
    expect(await room.close(closer, entry)).toMatchObject({
      state: 'aborted',
      text: expect.stringMatching(/entered in (it|bash)/),
    });
    expect(lives(pid)).toBe(true);
  });
});

const declaring = (hands: Hands, { key, name }: SessionEntry, action: string, body: JsonObject) =>
  hands.ledger.append({ kind: 'declared', action, session: { key, name }, body });

const GATE = { gate: 'g1', expiresAt: 9_000_000_000_000, owner: { paneId: '%9' } };

describe.concurrent('what is declared between the decision and the intent', () => {
  test.for([
    ['a role', true, 'claim', { claims: { role: 'keeper' } }, 'its role was declared since'],
    ['new work', true, 'gate-start', GATE, 'work was asked of it since'],
    ['new work, and a person closes it', false, 'gate-start', GATE, 'work was asked of it since'],
  ] as const)('%s stops it', async ([, isAutomatic, action, body, text], { staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const entry = await room.entry(hands, 'worker');
    declaring(hands, entry, 'adopt', {});
    const closer = await heldUp(room, hands, async () => {
      declaring(hands, entry, action, body);
    });
    const due = await until(
      'it may go',
      () => room.entry(closer, 'worker'),
      ({ lifecycle }) => lifecycle === 'safe-to-close',
    );
    expect(await room.close(closer, due, { isAutomatic })).toMatchObject({
      state: 'aborted',
      text: expect.stringContaining(text),
    });
    expect([lives(pid), outcomesIn(hands)]).toEqual([true, []]);
  });
});
