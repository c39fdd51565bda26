import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { historyLine, readHistoryLine } from '../../src/core/history/record.ts';
import { Recorder } from '../../src/core/history/recorder.ts';
import { restoreEvidence } from '../../src/core/history/restore-evidence.ts';
import type { Roll } from '../../src/core/sight/roll.ts';
import { classify } from '../../src/core/verdict/classify.ts';
import { round } from '../core/history/rounds.ts';
import { POLICY } from '../support/evidence.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { realLook } from '../support/real-look.ts';
import { ScriptedAgents } from '../support/scripted-agent.ts';

let tmux: PrivateTmux;
beforeEach(() => {
  tmux = new PrivateTmux('history');
});
afterEach(() => tmux.stop());

const policy = { ...POLICY, startingMs: 0 };
const codes = (items: readonly { readonly code: string }[]) => items.map(({ code }) => code);
const momentOf = ({ at }: Roll) => ({ at, awakeMs: at - 1_700_000_000_000, suspendedMs: 0 });

describe('what real sensors saw', () => {
  test('is judged the same after it was recorded and read back, and nothing of the screen is in it', async () => {
    const agents = new ScriptedAgents(tmux.folder);
    await tmux.tmux('new-session', '-d', '-s', 'agent', ...agents.argv('agent', 'leaves'));
    await tmux.tmux('new-session', '-d', '-s', 'build', 'sleep 1000');
    await tmux.tmux('new-session', '-d', '-s', 'shell', 'sh');
    await tmux.tmux('send-keys', '-t', '=shell:', 'echo hunter2', 'Enter');
    const look = realLook([tmux], policy);
    await look.roll();
    const roll = await look.roll({ inspect: (sessions) => sessions });
    expect(roll.sessions).toHaveLength(3);
    const now = momentOf(roll);
    const lines = new Recorder(policy).round({ ...round(now), roll }).map(historyLine);
    expect(lines.join('\n')).not.toMatch(/hunter2|scripted agent/);
    for (const session of roll.sessions) {
      const line = lines.find((one) => one.includes(`"${session.key}"`)) ?? '';
      const read = readHistoryLine(line);
      if (read.state !== 'read' || read.record.kind !== 'seen') throw new Error(`not recorded: ${line}`);
      expect(read.record.pieces).not.toBeNull();
      const verdict = classify(restoreEvidence(read.record.pieces ?? {}, now), now, policy);
      const original = classify(session.evidence, now, policy);
      expect([session.name, verdict.activity, verdict.lifecycle]).toEqual([
        ...[session.name, original.activity, original.lifecycle],
      ]);
      expect(codes(verdict.blockers)).toEqual(codes(original.blockers));
    }
  });
});
