import { describe, expect, it } from 'vitest';
import { heardConversation } from '../../../src/core/agent/heard-conversation.ts';
import type { HookMemory, HookSender } from '../../../src/core/agent/hook-memory.ts';

const PANE = { socketPath: '/tmp/s', serverPid: 40, paneId: '%3', startedAt: 1000 };
const SENDER: HookSender = { parentPid: 7, tmuxSocket: '/tmp/s', tmuxServerPid: 40, paneId: '%3' };

function memory(
  conversation: string | null,
  over: Partial<HookMemory> & { readonly at?: number } = {},
): HookMemory {
  const { at = 2000, ...more } = over;
  const last = { event: 'Stop', at };
  const base = { agentKind: 'codex', conversation, sender: SENDER, subagents: [], last };
  return { ...base, beganAt: 1500, ...more };
}

describe('the conversation that an agent was in', () => {
  it('is the one that its pane spoke of last', () => {
    expect(heardConversation([memory('a'), memory('b', { at: 3000 })], PANE)).toBe('b');
    expect(heardConversation([memory('a', { at: 1000 })], PANE)).toBe('a');
    expect(heardConversation([memory('a'), memory(null, { at: 3000 })], PANE)).toBe('a');
    expect(heardConversation([], PANE)).toBeNull();
  });

  it.each<[string, HookMemory]>([
    ['another pane', memory('a', { sender: { ...SENDER, paneId: '%4' } })],
    ['another server', memory('a', { sender: { ...SENDER, tmuxServerPid: 41 } })],
    ['another socket', memory('a', { sender: { ...SENDER, tmuxSocket: '/tmp/other' } })],
    ['an earlier pane of that number', memory('a', { at: 999 })],
    ['no conversation', memory(null)],
  ])('is not told by %s', (_, told) => {
    expect(heardConversation([told], PANE)).toBeNull();
  });

  it('is none before the first prompt: agents keep nothing of it', () => {
    const { beganAt: _, ...unasked } = memory('a');
    expect(heardConversation([unasked], PANE)).toBeNull();
  });

  it('is not known where two programs spoke from its pane', () => {
    const nested = memory('b', { sender: { ...SENDER, parentPid: 8 } });
    expect(heardConversation([memory('a'), nested], PANE)).toBeNull();
    const of = (agentPid: number) => ({ sender: { ...SENDER, agentPid } });
    expect(heardConversation([memory('a', of(5)), memory('b', of(6))], PANE)).toBeNull();
    const byShells = [{ ...SENDER, agentPid: 5, parentPid: 9 }, of(5).sender];
    expect(heardConversation([memory('a', { sender: byShells[0] as HookSender })], PANE)).toBe('a');
    expect(
      heardConversation(
        byShells.map((sender, index) => memory(`c${index}`, { sender, at: 2000 + index })),
        PANE,
      ),
    ).toBe('c1');
  });

  it('is that of the turn, not of a subagent which the turn started', () => {
    const turn = { value: 'running', at: 1 } as const;
    const parent = memory('parent', { turn, beganAt: 1500, at: 2000 });
    const child = memory('child', { turn, beganAt: 1800, at: 2500 });
    expect(heardConversation([child, parent], PANE)).toBe('parent');
    const over = { value: 'over', at: 2 } as const;
    expect(heardConversation([memory('old', { turn: over }), child], PANE)).toBe('child');
  });
});
