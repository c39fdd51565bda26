import { expect, it } from 'vitest';
import type { RememberedPane } from '../../../src/core/memory/recollection.ts';
import type { ScreenSighting } from '../../../src/core/sight/sighting.ts';
import type { ProcessNote } from '../../../src/core/verdict/evidence.ts';
import type { SessionLook } from '../../../src/engine/look/look-at-server.ts';
import type { Parts } from '../../../src/engine/look/parts.ts';
import { provePrompt } from '../../../src/engine/look/prove-prompt.ts';
import type { PaneLook } from '../../../src/engine/look/read-pane.ts';
import { type SeenShell, seenShell } from '../../core/seen-shell.ts';
import { note, shell } from '../../support/evidence.ts';

type Captured = Extract<ScreenSighting, { state: 'captured' }>;

/** The cursor stands behind the last line. */
const showing = (...lines: string[]): Captured => ({
  ...{ state: 'captured', paneId: '%1', observedAt: 0, lines, styled: lines },
  cursor: { x: lines.at(-1)?.length ?? 0, y: lines.length - 1, width: 80 },
});

interface Given {
  readonly screen?: Captured;
  readonly above?: ScreenSighting;
  readonly seen?: Partial<SeenShell>;
  readonly processes?: readonly ProcessNote[];
  readonly remembered?: Partial<RememberedPane>;
}

async function prove(given: Given) {
  const asked = { shells: 0, above: 0 };
  const parts = {
    shells: {
      sense: async () => {
        asked.shells += 1;
        return seenShell(given.seen);
      },
    },
    tmux: {
      capture: async () => {
        asked.above += 1;
        return given.above ? [given.above] : [];
      },
    },
    naming: { agentStarted: (text: string) => text.split(' ')[0] },
  } as unknown as Parts;
  const look = {
    server: { socketPath: '/socket' },
    rememberedPanes: { '%1': { agentSeen: 'claude', ...given.remembered } },
  } as unknown as SessionLook;
  const pane = { sighting: { paneId: '%1' }, processes: given.processes ?? [shell()] } as unknown as PaneLook;
  const reading = await provePrompt(look, pane, given.screen ?? showing('➜ '), parts);
  return { ...reading, asked };
}

it('asks for nothing where the screen shows no empty prompt', async () => {
  const none = { shells: 0, above: 0 };
  expect(await prove({ screen: showing('$ git pu') })).toEqual({ isPromptEmpty: false, asked: none });
  expect(await prove({ screen: showing('> ') })).toEqual({ isPromptEmpty: null, asked: none });
  expect(await prove({ screen: { ...showing('$ '), cursor: null } })).toEqual({
    isPromptEmpty: null,
    asked: none,
  });
  expect(await prove({ processes: [shell(), note()] })).toMatchObject({ isPromptEmpty: null, asked: none });
});

it('asks for no history where the shell tells enough', async () => {
  const asked = { shells: 1, above: 0 };
  expect(await prove({ seen: { givenPrompt: '➜ ' } })).toEqual({ isPromptEmpty: true, asked });
  const prompt = { pid: 100, startTicks: 2, program: 'bash', shape: '➜ ' };
  expect(await prove({ remembered: { prompt } })).toEqual({ isPromptEmpty: true, asked });
  expect(await prove({ seen: { isAsleep: false } })).toEqual({
    ...{ isPromptEmpty: null, promptDoubt: 'bash (pid 100) is at work', asked },
  });
});

it('proves a prompt by the command that started the agent behind the same text, once', async () => {
  const above = showing('➜ ls', 'notes', '➜ claude --resume', 'Bye.', '➜ ');
  expect(await prove({ above })).toEqual({
    isPromptEmpty: true,
    proven: { pid: 100, startTicks: 2, program: 'bash', shape: '➜ ' },
    asked: { shells: 1, above: 1 },
  });
});

it.each<[string, Given]>([
  ['the agent was started behind another text', { above: showing('$ claude', 'Bye.', '➜ ') }],
  ['only other commands were', { above: showing('➜ ls', '➜ codex', '➜ ') }],
  ['there is no history', {}],
  ['history could not be had', { above: { state: 'absent', paneId: '%1', observedAt: 0 } }],
  ['the cursor could not be had', { above: { ...showing('➜ claude', '➜ '), cursor: null } }],
  ['the screen has changed meanwhile', { above: showing('➜ claude', '➜ x') }],
])('does not take a text for a prompt where %s', async (_, given) => {
  expect(await prove(given)).toEqual({
    isPromptEmpty: null,
    promptDoubt: 'bash (pid 100) waits for input at a text that is not known to be its prompt',
    asked: { shells: 1, above: 1 },
  });
});

it('reads the history of a screen that has not changed once', async () => {
  const screen = showing('➜ ');
  const above = showing('$ claude', '➜ ');
  expect((await prove({ screen, above })).asked.above).toBe(1);
  expect(await prove({ screen, above })).toMatchObject({ isPromptEmpty: null, asked: { above: 0 } });
});

it('does not even look for a command where no agent was seen', async () => {
  const { isPromptEmpty, asked } = await prove({ remembered: { agentSeen: undefined } as never });
  expect([isPromptEmpty, asked.above]).toEqual([null, 0]);
});
