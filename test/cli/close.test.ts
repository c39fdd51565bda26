import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { showProgress } from '../../src/cli/close/end-for.ts';
import { closeLines, progressLine } from '../../src/cli/close/report.ts';
import type { TerminalOutput } from '../../src/cli/frame/surroundings.ts';
import { lineWidth, printLines } from '../../src/cli/render/line.ts';
import { closeDocumentSchema, reopenDocumentSchema } from '../../src/contract/close-schemas.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { atMost } from '../../src/operations/at-most.ts';
import { worstEnd } from '../../src/operations/end.ts';
import { ClosingRoom, lives, receiptsIn, SHELL } from '../engine/act/closing-room.ts';
import { until } from '../support/until.ts';
import { run as runWith } from './fake-outside.ts';

let room: ClosingRoom;
beforeEach(async () => {
  room = new ClosingRoom();
  // Keeps the server when others go.
  await room.tmux.session('stays');
});
afterEach(() => room.leave());

/** Runs a command line with real hands; the command closes the ledger that it was given. */
async function run(...argv: string[]) {
  return runWith(argv, { hands: () => room.hands() });
}

async function managed(name: string, hands: Hands): Promise<void> {
  const { key, server, sessionId, createdAt } = await room.entry(hands, name);
  const { socketPath, pid, startTicks } = server;
  const body = { server: { socketPath, pid, startTicks }, sessionId, createdAtSeconds: createdAt / 1000 };
  hands.ledger.append({ kind: 'declared', action: 'adopt', session: { key, name }, body });
}

describe('rollcall close', () => {
  it('closes, tells the receipt, and shows every rung', async () => {
    await room.agent('worker', 'leaves');
    const { exitCode, stdout, stderr } = await run('close', 'worker', '--reason', 'finished');
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/^worker: closed, receipt r\w{12}\n {2}kept in /),
    ]);
    expect(stdout).toContain('its conversation: /bin/sh ');
    expect(stderr).toMatch(
      /worker: archive {4}done .*\nworker: ask {8}done .*it left at '\/exit'\nworker: sweep/,
    );
  });

  it('prints a document that its schema knows, and reopens from it', async () => {
    await room.agent('worker', 'leaves');
    const { stdout } = await run('close', 'worker', '--json');
    const { sessions } = v.parse(closeDocumentSchema, JSON.parse(stdout));
    expect(sessions).toMatchObject([{ name: 'worker', result: 'closed', exitCode: 0 }]);
    const receipt = sessions[0]?.receipt?.receipt ?? '';
    const server = ['--server', room.tmux.socketPath];
    const again = await run('reopen', receipt, ...server, '--json');
    expect(v.parse(reopenDocumentSchema, JSON.parse(again.stdout))).toMatchObject({
      name: 'worker',
      receipt,
      panes: 1,
    });
    await until(
      'it is there',
      () => room.names(),
      (names) => names.includes('worker'),
    );
    const refused = await run('reopen', receipt, ...server);
    expect([refused.exitCode, refused.stderr]).toEqual([
      3,
      expect.stringContaining('it was reopened before'),
    ]);
    expect((await run('reopen', 'nobody')).exitCode).toBe(4);
    expect((await run('reopen', 'worker', '--server', 'a', '--server', 'b')).exitCode).toBe(2);
  });

  it('tells what was put back, and what was not', async () => {
    await room.agent('worker', 'leaves');
    await room.tmux.tmux('split-window', '-d', '-t', '=worker:', 'sleep 1000');
    await room.tmux.tmux('split-window', '-d', '-t', '=worker:', `true; ${SHELL}`);
    expect((await run('close', 'worker', '--force')).exitCode).toBe(0);
    const { stdout } = await run('reopen', 'worker', '--server', room.tmux.socketPath);
    expect(stdout).toMatch(
      /^worker: reopened on acts in \S+, from receipt r\w+, 1 window, 3 panes\n {2}started: /,
    );
    expect(stdout).toContain('\n  in another pane: sleep 1000\n');
    expect(stdout).toContain('it had ended, or a part of it, and is not run again: true');
  });

  it('refuses work with exit 3, what stands against it, and what to do', async () => {
    const { pid } = await room.agent('worker', 'leaves');
    await room.agents.say('worker', 'working');
    const { exitCode, stdout } = await run('close', 'worker');
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/^worker: not closed: it is active/);
    expect(stdout).toContain('(at-rest)');
    expect(stdout).toContain('hint: wait for it; --force closes it all the same');
    expect(lives(pid)).toBe(true);
    const json = await run('close', 'worker', '--json');
    expect(v.parse(closeDocumentSchema, JSON.parse(json.stdout)).sessions).toMatchObject([
      { result: 'refused', exitCode: 3 },
    ]);
  });

  it('says with --force first what is set aside', async () => {
    const { pid } = await room.agent('worker', 'done');
    await room.agents.say('worker', 'working');
    const { exitCode, stderr } = await run('close', 'worker', '--force');
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^worker: forced\n {2}may lose what it is working on: it is working \(at-rest\)[\s\S]*\n {2}ends: scripted \(pid \d+\)\n/,
      ),
    ]);
    expect(lives(pid)).toBe(false);
  });

  it('says with --dry-run what it would do, and does nothing', async () => {
    const { pid } = await room.agent('worker', 'leaves');
    await room.agent('busy', 'leaves');
    await room.agents.say('busy', 'working');
    const { exitCode, stdout } = await run('close', 'worker', 'busy', '--dry-run');
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(
      /worker: would be closed\n[\s\S]*archive {4}1 pane[\s\S]*ask {8}type '\/exit' to scripted/,
    );
    expect(stdout).toContain('busy: would not be closed: it is active');
    expect(lives(pid)).toBe(true);
    const hands = await room.hands();
    expect(hands.ledger.read().isEmpty).toBe(true);
  });

  it('closes several at once; one that is refused does not keep the others', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await room.agent(name, 'leaves');
    await room.agents.say('c', 'working');
    const { exitCode } = await run('close', ...names, '--timeout', '10m');
    expect(exitCode).toBe(3);
    expect(await room.names()).toEqual(['c', 'stays']);
  });

  it('does nothing at all where one name is wrong', async () => {
    await room.agent('worker', 'leaves');
    expect((await run('close', 'worker', 'wroker')).exitCode).toBe(4);
    expect(await room.names()).toEqual(['stays', 'worker']);
  });

  it('--due closes what is safe and under care, and nothing else', async () => {
    const hands = await room.hands();
    await room.agent('mine', 'leaves');
    await room.agent('yours', 'leaves');
    await managed('mine', hands);
    await until(
      'it is due',
      () => room.entry(hands, 'mine'),
      (one) => one.lifecycle === 'safe-to-close',
    );
    expect((await run('close', '--due')).exitCode).toBe(0);
    expect(await room.names()).toEqual(['stays', 'yours']);
    expect(receiptsIn(hands)).toHaveLength(1);
    expect((await run('close', '--due')).stdout).toBe('nothing is due\n');
  });

  it.each([
    [['close']],
    [['close', 'worker', '--due']],
    [['close', '--due', '--force']],
    [['close', '--due', '--despite', 'held']],
    [['close', 'worker', '--despite', 'own-session']],
    [['close', 'worker', '--timeout', '1ms']],
  ])('%j is wrong usage', async (argv) => {
    expect((await run(...argv)).exitCode).toBe(2);
  });
});

describe('what is shown', () => {
  it('on a terminal, what is under way gives place to what came of it', () => {
    let shown = '';
    const terminal: TerminalOutput = {
      ...{ isTTY: true, columns: 80, rows: 24, onResize: () => () => {} },
      write: (text) => {
        shown += text;
      },
    };
    const show = showProgress(terminal, { isColor: false, isAlone: true });
    show({ name: 'w', state: 'begins', rung: 'ask' });
    const report = {
      rung: 'ask',
      startedAt: 0,
      endedAt: 1500,
      result: 'unanswered',
      text: 'it stays',
    } as const;
    show({ name: 'w', state: 'over', report });
    expect(shown).toBe(
      'w: ask        asking its agent to leave …\r\u001b[Kw: ask        unanswered (1.5 s)  it stays\n',
    );
    expect(progressLine({ name: 'w', state: 'begins', rung: 'ask' }, false)).toBeNull();
  });

  it('elsewhere, nothing twice', () => {
    let shown = '';
    const pipe: TerminalOutput = {
      ...{ isTTY: false, columns: null, rows: null, onResize: () => () => {} },
      write: (text) => {
        shown += text;
      },
    };
    const show = showProgress(pipe, { isColor: false, isAlone: true });
    for (let turn = 0; turn < 3; turn += 1) show({ name: 'w', state: 'waits', text: 'for 5 s' });
    expect(shown).toBe('w: waiting: for 5 s\n');
  });
});

describe('several', () => {
  it('are worked on so many at a time, and answered in order', async () => {
    let now = 0;
    let most = 0;
    const results = await atMost(4, [1, 2, 3, 4, 5, 6, 7, 8, 9], async (item) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return item * 2;
    });
    expect([results, most]).toEqual([[2, 4, 6, 8, 10, 12, 14, 16, 18], 4]);
  });

  it('end with the worst of their exits', () => {
    const ends = (...codes: number[]) => worstEnd(codes.map((exitCode) => ({ exitCode })));
    expect([ends(), ends(0, 3, 0), ends(3, 1, 6), ends(3, 6), ends(4, 3)]).toEqual([
      ...['done', 'refused', 'failed', 'timed-out', 'not-found'],
    ]);
  });
});

describe('what became of a session, in words', () => {
  const nothing = {
    blockers: [],
    protections: [],
    waived: [],
    planned: [],
    processes: [],
    rungs: [],
    receipt: null,
  };
  const report = { ...nothing, key: 'k', name: 'worker', exitCode: 1, hint: 'make room, then try again' };

  it('never says of one that is gone that it is not closed', () => {
    const gone = closeLines({
      ...report,
      result: 'unrecorded',
      text: 'it is gone, but its receipt is not written',
    });
    expect(printLines(gone, false)).toBe(
      'worker: it is gone, but its receipt is not written\n  hint: make room, then try again\n',
    );
    const stands = closeLines({ ...report, result: 'failed', text: 'no room' });
    expect(printLines(stands, false)).toMatch(/^worker: not closed: no room\n/);
  });

  it('breaks between words on a narrow terminal', () => {
    const text = 'it is active: a plain terminal: sh (pid 27157) at its prompt';
    const lines = closeLines({ ...report, result: 'refused', text }, 30);
    expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(30);
    expect(printLines(lines, false)).toBe(
      'worker: not closed: it is\nactive: a plain terminal: sh\n(pid 27157) at its prompt\n  hint: make room, then try\n  again\n',
    );
  });
});
