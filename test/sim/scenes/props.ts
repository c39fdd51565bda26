import type { StoryEvent, StoryFields } from '../story/story.ts';
import { type Expected, MINUTE, SECOND } from './scene.ts';

/** A daemon that gives memory back by itself, from the beginning. */
export const SUPERVISED: readonly StoryEvent[] = [
  { at: 0, kind: 'up', install: 'home' },
  { at: 500, kind: 'mode', mode: 'enforce', install: 'home' },
];

/** So many sessions with an agent each that has had its turn, all of them in the care of rollcall. */
export function resting(count: number, more: StoryFields = {}): StoryEvent[] {
  return Array.from({ length: count }, (_, index) => one(index, more)).flat();
}

function one(index: number, more: StoryFields): StoryEvent[] {
  const session = `s${index}`;
  const begins = {
    agent: 'full',
    layout: 'alone',
    by: 'person',
    name: `work-${index}`,
    server: 'default',
    mcp: 0,
  };
  return [
    { at: index * 100, kind: 'start', session, ...begins, ...more },
    { at: 5 * SECOND + index * 100, kind: 'turn', session, by: 'itself', forMs: 30 * SECOND, staysMs: 0 },
    {
      at: MINUTE + index * SECOND,
      kind: 'declare',
      session,
      command: 'adopt',
      forMs: 0,
      byName: false,
      killAt: 0,
      install: '',
    },
  ];
}

export function declare(at: number, session: string, command: string, more: StoryFields = {}): StoryEvent {
  return { at, kind: 'declare', session, command, forMs: 0, byName: false, killAt: 0, install: '', ...more };
}

export function memoryShort(at: number, forMs: number): StoryEvent {
  return { at, kind: 'memory', level: 'critical', forMs: forMs / 0.6, waves: 1 };
}

export function all(count: number, at: number, is: Expected['is']): Expected[] {
  return Array.from({ length: count }, (_, index) => ({ at, session: `s${index}`, is }));
}

/** Nothing waits for the hour to be over. */
export const MANY = {
  'reaper.perHour': 100,
  'reaper.idleAfter': 2 * MINUTE,
  'reaper.confirm': 30 * SECOND,
  'reaper.grace': 10 * SECOND,
} as const;
