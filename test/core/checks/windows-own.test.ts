import { expect, it } from 'vitest';
import { windowsOwn } from '../../../src/core/checks/windows-own.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import type { Check } from '../../../src/core/verdict/verdict.ts';
import { history, onPane, pane } from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

it.each<[string, Check['state'], string, Evidence[]]>([
  ['its own', 'met', 'no other session shares its windows', [pane()]],
  [
    'shared',
    'unmet',
    'another session shares its windows and keeps them alive',
    [pane({ isWindowShared: true })],
  ],
  [
    'shared in part',
    'unmet',
    'another session shares its windows and keeps them alive',
    [pane(), ...onPane('%2', [pane({ isWindowShared: true })])],
  ],
  [
    'not all known',
    'unknown',
    'whether its windows are shared is not known',
    [pane(), ...onPane('%2', [history()])],
  ],
  ['none', 'unknown', 'whether its windows are shared is not known', []],
])('S51: its windows are %s: %s', (_, state, text, evidence) => {
  expect(windowsOwn(judgedOf(evidence))).toEqual({ code: 'windows-own', state, text });
});
