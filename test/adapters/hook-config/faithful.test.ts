import { expect, it } from 'vitest';
import { isFaithful } from '../../../src/adapters/hook-config/faithful.ts';
import type { WantedHooks } from '../../../src/adapters/hook-config/hook-agents.ts';

const wanted: WantedHooks = {
  agent: 'gemini',
  events: ['AfterAgent'],
  stopEvent: 'AfterAgent',
  script: '/d/rollcall/hook.sh',
};
const OURS =
  '"name":"rollcall","type":"command","command":"\'/d/rollcall/hook.sh\' gemini AfterAgent","timeout":10000';
const THEIRS = '"name":"rollcall","type":"command","command":"mine","timeout":10000';
const entry = (handlers: string, matcher = '*') => `{"matcher":"${matcher}","hooks":[${handlers}]}`;
const file = (entries: string, rest = '') => `{"hooks":{"AfterAgent":[${entries}]}${rest}}`;

it.each([
  ['an entry of ours', file(entry(`{${OURS}}`)), '{}'],
  ['a handler beside one of theirs', file(entry(`{${OURS}},{${THEIRS}}`)), file(entry(`{${THEIRS}}`))],
  ['a handler in their entry', file(entry(`{${OURS}}`, 'mine')), file(entry('', 'mine'))],
  [
    'an entry before an empty one of theirs',
    file(`${entry(`{${OURS}}`)},{"hooks":[]}`),
    file('{"hooks":[]}'),
  ],
  [
    'the command of a changed handler',
    file(entry(`{${OURS},"//":"x"}`)),
    file(entry('{"name":"rollcall","type":"command","command":"true","timeout":10000,"//":"x"}')),
  ],
])('nothing of the user’s is lost: %s', (_what, before, after) => {
  expect(isFaithful(before, after, wanted)).toBe(true);
});

it.each([
  ['an entry of theirs', file(entry(`{${THEIRS}}`)), '{}'],
  ['a note in a handler of ours', file(entry(`{${OURS},"//":"x"}`)), '{}'],
  ['their matcher', file(entry(`{${OURS}}`, 'mine')), '{}'],
  ['their limit of time', file(entry(`{${OURS.replace('10000', '77')}}`)), '{}'],
  [
    'a limit of theirs that is as ours',
    file(entry(`{${THEIRS}}`)),
    file(entry(`{${THEIRS.replace(',"timeout":10000', '')}}`)),
  ],
  ['the first of two of one name', file(entry(`{"command":"mine",${OURS}}`)), '{}'],
  ['a command for another event', file(entry(`{${OURS.replace(' AfterAgent', ' Now')}}`)), '{}'],
  ['another setting', file(entry(`{${OURS}}`), ',"a":1'), '{}'],
  ['the order', file(entry(`{${OURS}}`), ',"a":1,"b":2'), '{"b":2,"a":1}'],
  ['a comment', file(entry(`{${OURS} /* x */}`)), '{}'],
  ['the end of the text', file(entry(`{${OURS}}`)), '{'],
])('something of the user’s is lost: %s', (_what, before, after) => {
  expect(isFaithful(before, after, wanted)).toBe(false);
});
