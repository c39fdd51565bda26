import { afterAll, beforeAll, describe, expect } from 'vitest';
import { findReceipt } from '../../src/core/close/find-receipt.ts';
import { CLOSE_STEPS } from '../../src/engine/act/close/taken.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { recoverAll } from '../../src/engine/act/recover.ts';
import { REOPEN_STEPS } from '../../src/engine/act/reopen/order.ts';
import { reopenSession } from '../../src/engine/act/reopen/reopen-session.ts';
import { entriesOf, factsIn } from '../engine/act/acting-room.ts';
import {
  type ClosingRoom,
  lives,
  outcomesIn,
  receiptsIn,
  SHORT,
  untilGone,
} from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { type Moment, momentsOf } from '../support/moments.ts';
import { killedInside } from '../support/mortal.ts';
import { OwnProcess } from '../support/own-process.ts';
import { sliceOf } from '../support/slice.ts';

let own: OwnProcess;

beforeAll(async () => {
  own = await OwnProcess.prepare(
    [
      'src/compose/hands.ts',
      'src/engine/act/close/close-session.ts',
      'src/engine/act/reopen/reopen-session.ts',
      'src/core/close/find-receipt.ts',
    ],
    `import * as rollcall from './module.mjs';
    const [request] = args.map((one) => JSON.parse(one));
    Object.assign(process.env, request.env);
    const settings = { ...request.settings, roles: new Map(), policy: { ...request.settings.policy, roles: new Map() } };
    const onStep = (step, when) => {
      if (step === request.step && when === request.when) process.kill(process.pid, 'SIGKILL');
    };
    const hands = await rollcall.composeHands(process.env, settings, { sockets: request.sockets, onStep });`,
  );
});
afterAll(() => own.remove());

/** Does it, and is killed at that step: at some of them in a process of its own, which really is. */
async function killedAt(
  room: ClosingRoom,
  moment: Moment,
  { body, act, really }: { body: string; act: (hands: Hands) => Promise<unknown>; really: readonly string[] },
): Promise<unknown> {
  const [when, step] = moment;
  if (!really.includes(step)) {
    const isThen = (name: string, at: string) => name === step && at === when;
    return killedInside((changes) => room.hands(changes), isThen, act);
  }
  const { XDG_STATE_HOME, TMUX_TMPDIR, ROLLCALL_SCRIPTED_AGENT } = room.env;
  const request = {
    ...{ step, when, settings: room.settings, sockets: [room.tmux.socketPath] },
    ...{ env: { XDG_STATE_HOME, TMUX_TMPDIR, ROLLCALL_SCRIPTED_AGENT }, timings: HURRIED },
  };
  const end = await own.end(body, JSON.stringify(request));
  return end === 'SIGKILL' ? 'killed' : end;
}

// An agent that answers and stays and ignores SIGTERM; beside it a process that left the tree, behind it a shell: every
// rung has something to do.
const CLOSE = `
  const entry = (await hands.look()).sessions.find(({ name }) => name === 'worker');
  const wish = { isForced: true, despite: [], isAutomatic: false };
  const result = await rollcall.closeSession(hands, {
    entry, wish, reason: 'crash', argv: [], timings: request.timings, onProgress() {},
  });
  if (result.state !== 'closed') { console.error(JSON.stringify(result)); process.exit(3); }`;
/** By force it goes whatever stands at its prompt; a line editor would show what was typed to the agent before it. */
const SHELL = "exec env PS1='$ ' sh -i";
const HURRIED = { ...SHORT, askMs: 200, terminateMs: 200 };

describe.concurrent('S50: a close that is killed', () => {
  test.for(sliceOf(momentsOf(CLOSE_STEPS), 3))('%s %s', async (moment, { staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'done+deaf', SHELL, '(setsid sleep 1000 &); ');
    const act = (dying: Hands) =>
      room.close(dying, 'worker', { isForced: true }, { reason: 'crash', argv: [], timings: HURRIED });
    const really = ['intent', 'kill', 'receipt'];
    expect(await killedAt(room, moment, { body: CLOSE, act, really })).toBe('killed');
    // It ends once it is given a core, and not while it is looked at.
    if (moment.join() === 'after,kill') await untilGone(pid);

    const wasThere = (await room.names()).includes('worker');
    const recovered = await recoverAll(hands);
    expect(hands.ledger.verify().damage).toBeNull();
    expect(hands.ledger.facts().folded.openIntents.size).toBe(0);
    expect((await room.names()).includes('worker')).toBe(wasThere);
    const wasIntended = outcomesIn(hands).length > 0;
    // One that stands has a receipt for its agent, which has left or may still leave: nobody else would tell of it.
    const before = wasThere && !wasIntended ? 0 : 1;
    expect(receiptsIn(hands)).toHaveLength(before);
    expect(outcomesIn(hands)).toEqual(!wasIntended ? [] : wasThere ? ['interrupted'] : ['done']);
    if (!wasThere) {
      expect(lives(pid)).toBe(false);
      expect(findReceipt(entriesOf(hands), 'worker')).toMatchObject({ state: 'one' });
    }
    // A second recovery finds nothing, and whoever closes it then closes it once.
    expect(await recoverAll(hands)).toEqual([]);
    expect(recovered.length).toBeLessThanOrEqual(1);
    if (wasThere) {
      await room.close(hands, 'worker', { isForced: true }, { timings: HURRIED });
      expect(receiptsIn(hands)).toHaveLength(before + 1);
    }
  });
});

const REOPEN = `
  const found = rollcall.findReceipt(hands.ledger.read().entries, 'worker');
  const result = await rollcall.reopenSession(hands, {
    closed: found.closed, socketPath: request.sockets[0], name: null, onCollision: 'fail', shell: '/bin/sh', argv: [],
  });
  if (result.state !== 'reopened') { console.error(JSON.stringify(result)); process.exit(3); }`;

function reopen(room: ClosingRoom, hands: Hands): Promise<unknown> {
  const found = findReceipt(entriesOf(hands), 'worker');
  if (found.state !== 'one') throw new Error(found.state);
  return reopenSession(hands, {
    ...{ closed: found.closed, socketPath: room.tmux.socketPath, name: null, onCollision: 'fail' },
    ...{ shell: '/bin/sh', argv: [] },
  });
}

describe.concurrent('S50: a reopening that is killed', () => {
  test.for(sliceOf(momentsOf(REOPEN_STEPS), 3))('%s %s', async (moment, { staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    expect((await room.close(hands, 'worker')).state).toBe('closed');
    const really = ['start'];
    const act = (dying: Hands) => reopen(room, dying);
    expect(await killedAt(room, moment, { body: REOPEN, act, really })).toBe('killed');

    await recoverAll(hands);
    expect(hands.ledger.verify().damage).toBeNull();
    expect(hands.ledger.facts().folded.openIntents.size).toBe(0);
    const isThere = (await room.names()).includes('worker');
    const wasIntended = outcomesIn(hands, 'reopen').length > 0;
    expect(outcomesIn(hands, 'reopen')).toEqual(!wasIntended ? [] : isThere ? ['done'] : ['failed']);
    if (isThere) {
      const { key } = await room.entry(hands, 'worker');
      expect(factsIn(hands).get(key)?.origin?.how).toBe('reopened');
    }
    expect(await recoverAll(hands)).toEqual([]);
    expect((await room.names()).filter((name) => name.startsWith('worker'))).toHaveLength(isThere ? 1 : 0);
  });
});
