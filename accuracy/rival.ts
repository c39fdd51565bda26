import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentKind } from './install.ts';
import type { Said } from './score.ts';

/** The detectors that ccmanager publishes, fed with the same screens. They see nothing else, and keep state. */
export type Rival = (screen: string) => Said;

interface Detector {
  detectState(terminal: unknown, current: string): string;
  detectBackgroundTask(terminal: unknown): number;
}

/** Makes detectors for one kind of agent; each session needs its own. */
export async function loadRival(cache: string): Promise<(kind: AgentKind) => Rival> {
  const folder = join(cache, 'ccmanager', 'node_modules', 'ccmanager', 'dist', 'services', 'stateDetector');
  const { createStateDetector } = await import(pathToFileURL(join(folder, 'index.js')).href);
  return (kind) => {
    const detector: Detector = createStateDetector(kind);
    let state = 'busy';
    return (screen) => {
      const terminal = terminalOf(screen);
      state = detector.detectState(terminal, state);
      return said(state, detector.detectBackgroundTask(terminal));
    };
  };
}

function said(state: string, backgroundTasks: number): Said {
  if (state === 'waiting_input') return { activity: 'waiting', waitingFor: null, lifecycle: 'active' };
  const isIdle = state === 'idle' && backgroundTasks === 0;
  return { activity: isIdle ? 'idle' : 'working', waitingFor: null, lifecycle: 'active' };
}

// As much of a terminal emulator as the detectors look at.
function terminalOf(screen: string): unknown {
  const lines = screen.split('\n');
  const getLine = (index: number) => ({ translateToString: () => lines[index] ?? '' });
  const active = { type: 'normal', baseY: 0, cursorX: 0, cursorY: 0, getLine };
  return { rows: lines.length, cols: 200, buffer: { active } };
}
