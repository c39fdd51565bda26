import { expect, it } from 'vitest';
import { createMemories } from '../../../src/adapters/spool/memories.ts';

const memoriesOf = (count: number, at: (index: number) => number) => {
  const memories = createMemories();
  for (let index = 0; index < count; index += 1) {
    const event = {
      agentKind: 'claude',
      event: 'Stop',
      at: at(index),
      sender: { parentPid: 1 },
      payload: null,
    };
    memories.fold(event, { conversation: `${index}` });
  }
  return memories;
};

it('forgets the oldest above 5,000', () => {
  const memories = memoriesOf(5_010, (index) => 1_000_000 + index);
  memories.forget(1_000_000);
  const known = memories.all();
  expect(known.length).toBe(5_000);
  expect(known[0]?.conversation).toBe('5009');
  expect(known.at(-1)?.conversation).toBe('10');
});

it('counts a conversation as heard of with its last event', () => {
  const memories = memoriesOf(5_001, (index) => 1_000_000 + index);
  const event = {
    agentKind: 'claude',
    event: 'Stop',
    at: 2_000_000,
    sender: { parentPid: 1 },
    payload: null,
  };
  memories.fold(event, { conversation: '0' });
  memories.forget(2_000_000);
  expect(memories.all()[0]?.conversation).toBe('0');
  expect(memories.all().at(-1)?.conversation).toBe('2');
});
