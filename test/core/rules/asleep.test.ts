import { expect, it } from 'vitest';
import { asleep } from '../../../src/core/rules/asleep.ts';
import { HOUR, history, NOW, pane } from '../../support/evidence.ts';
import { findingOf } from '../judged.ts';

const sleep = {
  ...{ at: NOW.at - HOUR, receipt: 'r-1', agentKind: 'claude', conversation: 'c-1', freedBytes: null },
};
const found = (over: object) => findingOf(asleep, [pane({ asleep: sleep, ...over })]);

it('a pane with the sleeper of an agent is asleep since then', () => {
  expect(found({})).toEqual({
    activity: 'asleep',
    since: NOW.at - HOUR,
    reason: {
      ...{ code: 'asleep', source: 'declared', observedAt: NOW.at },
      text: 'claude sleeps; Enter in its pane, or rollcall wake, wakes it',
    },
  });
});

it('it is where its sleeper has ended too, and says how it is woken then', () => {
  expect(found({ isDead: true })).toMatchObject({
    activity: 'asleep',
    reason: { text: 'claude sleeps; its sleeper has ended; rollcall wake wakes it' },
  });
});

it('an agent of which the kind is not known sleeps as well', () => {
  expect(found({ asleep: { ...sleep, agentKind: null } })?.reason.text).toMatch(/^its agent sleeps; /);
});

it('another pane is not asleep, nor one of which tmux says nothing', () => {
  expect(findingOf(asleep, [pane()])).toBeNull();
  expect(findingOf(asleep, [history()])).toBeNull();
});
