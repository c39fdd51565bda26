import type { WaitingFor } from '../../../src/core/verdict/verdict.ts';
import { WAITING_FOR } from '../../../src/core/verdict/verdict.ts';
import type { SimAgent } from './agent.ts';
import { KINDS } from './agent-kinds.ts';

const WORKING = '* Working… (esc to interrupt)';
const PROMPT = '> ';
const DIALOG = /^\? It asks for: ([a-z-]+)$/;
const BACKGROUND = /^ {2}(\d+) in the background$/;
const READY = '  ready';

/** Draws what an agent shows: a row that says what it does, its input box, its footer. */
export function drawAgent(agent: SimAgent): void {
  const { pane, truth, kind, machine } = agent;
  const { server } = pane;
  if (agent.shows.title) server.setTitle(pane, titleOf(agent));
  if (!KINDS[kind].hasScreen) {
    const printingSinceMs = truth.turn === 'running' && truth.dialog === null ? machine.clock.ms : null;
    server.show(pane, { lines: [`${KINDS[kind].program}`], cursor: { x: 0, y: 0 }, printingSinceMs });
    return;
  }
  const isWorking = truth.turn === 'running' && truth.dialog === null;
  const first = truth.dialog !== null ? `? It asks for: ${truth.dialog}` : isWorking ? WORKING : '';
  const input = truth.dialog !== null ? '  1. yes  2. no' : `${PROMPT}${truth.draft}`;
  const footer = truth.background > 0 ? `  ${truth.background} in the background` : READY;
  const printingSinceMs = isWorking ? (pane.screen.printingSinceMs ?? machine.clock.ms) : null;
  server.show(pane, {
    ...{ lines: [`${KINDS[kind].program} 1.0`, first, input, footer], isAlternate: true, printingSinceMs },
    cursor: { x: truth.dialog !== null ? 0 : input.length, y: 2 },
  });
}

/** What a screen of an agent tells; null where it is none. */
export interface SeenAgent {
  readonly turn: 'running' | 'over';
  readonly dialog: WaitingFor | null;
  readonly draft: string;
  readonly background: number;
}

/** Reads what `drawAgent` draws: whatever else stands there is not understood. */
export function readAgentScreen(lines: readonly string[]): SeenAgent | null {
  const [head, first = '', input = '', footer = ''] = lines;
  if (head === undefined || !/^agent-[a-z]+ 1\.0$/.test(head)) return null;
  const asked = DIALOG.exec(first)?.[1];
  const dialog = WAITING_FOR.find((word) => word === asked) ?? null;
  if (dialog === null && !input.startsWith(PROMPT)) return null;
  const background = Number(BACKGROUND.exec(footer)?.[1] ?? 0);
  const turn = first === WORKING || dialog !== null ? 'running' : 'over';
  return { turn, dialog, draft: dialog === null ? input.slice(PROMPT.length) : '', background };
}

function titleOf({ truth, kind }: SimAgent): string {
  const mark = truth.dialog !== null ? '!' : truth.turn === 'running' ? '*' : '-';
  return `${mark} ${KINDS[kind].program}`;
}
