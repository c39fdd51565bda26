import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { CapturedScreen } from '../../../../src/ports/agent.ts';

const FOLDER = new URL('../../../fixtures/agents/codex/', import.meta.url);

/** A recorded file of a real Codex 0.166.0. */
export const fixture = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

export interface RecordedScreen {
  readonly title: string;
  readonly screen: CapturedScreen;
}

export function recorded(name: string): RecordedScreen {
  const { title, cursor, styled } = JSON.parse(fixture(`screens/${name}.json`));
  return { title, screen: screenOf(styled, cursor) };
}

export function screenOf(styled: readonly string[], cursor: CapturedScreen['cursor']): CapturedScreen {
  const lines = styled.map((row) => row.replace(/\x1b\[[\d;:]*m/g, '').trimEnd());
  return { state: 'captured', paneId: '%1', observedAt: 1000, lines, styled, cursor };
}

/** A new folder for each test, removed after it. */
export function temporaryFolder(): { readonly path: string } {
  const folder = { path: '' };
  beforeEach(() => {
    folder.path = mkdtempSync(join(tmpdir(), 'rollcall-codex-'));
  });
  afterEach(() => rmSync(folder.path, { recursive: true, force: true }));
  return folder;
}
