import type { Evidence } from '../core/evidence.ts';
import { isPromptEmpty } from '../core/prompt.ts';
import type { ScreenSighting } from '../core/sighting.ts';
import type { Verdict } from '../core/verdict.ts';
import { visible } from '../core/visible.ts';
import type { SessionLook } from './look-at-server.ts';
import type { Parts } from './parts.ts';

/** What the dearer sensors add, by session key and pane id. */
export type SecondLook = ReadonlyMap<string, readonly Evidence[]>;

// Checks that only a screen or git can meet.
const DEAR = new Set(['nothing-unsent', 'work-saved']);
const TAIL_LINES = 12;
const LINE_LENGTH = 300;

/** Worth a second look: everything that is cheap to see already speaks for closing. */
export function isWorthIt(verdict: Verdict): boolean {
  if (verdict.activity !== 'idle' && verdict.activity !== 'exited') return false;
  const open = verdict.checks.filter((check) => check.state !== 'met');
  return open.length > 0 && open.every((check) => DEAR.has(check.code));
}

/** Captures screens in one batch per server and asks git once for all folders. */
export async function lookAgain(
  looks: readonly SessionLook[],
  parts: Parts,
  at: number,
): Promise<SecondLook> {
  if (looks.length === 0) return new Map();
  const [screens, git] = await Promise.all([captureAll(looks, parts), askGit(looks, parts)]);
  return new Map(
    looks.map((look) => [
      look.key,
      look.panes.flatMap((pane): Evidence[] => {
        const { paneId } = pane.sighting;
        const screen = screens.get(`${look.server.socketPath} ${paneId}`);
        const facts = pane.cwd === null ? undefined : git.get(pane.cwd);
        return [
          ...(screen ? [screenEvidence(paneId, screen)] : []),
          ...(facts
            ? [{ kind: 'git', source: 'git', observedAt: facts.observedAt, paneId, facts } as const]
            : []),
          ...(pane.cwd === null ? [unseen(paneId, at)] : []),
        ];
      }),
    ]),
  );
}

async function captureAll(looks: readonly SessionLook[], parts: Parts): Promise<Map<string, ScreenSighting>> {
  const bySocket = new Map<string, Set<string>>();
  for (const look of looks) {
    const wanted = bySocket.get(look.server.socketPath) ?? new Set();
    for (const pane of look.panes) wanted.add(pane.sighting.paneId);
    bySocket.set(look.server.socketPath, wanted);
  }
  const batches = [...bySocket].map(async ([socketPath, paneIds]) => {
    const screens = await parts.tmux.capture(socketPath, [...paneIds]);
    return screens.map((screen) => [`${socketPath} ${screen.paneId}`, screen] as const);
  });
  return new Map((await Promise.all(batches)).flat());
}

async function askGit(looks: readonly SessionLook[], parts: Parts) {
  const cwds = looks.flatMap((look) => look.panes.flatMap((pane) => pane.cwd ?? []));
  const answers = await parts.git.sense([...new Set(cwds)]);
  return new Map(answers.map((answer) => [answer.cwd, answer]));
}

function screenEvidence(paneId: string, screen: ScreenSighting): Evidence {
  const { observedAt } = screen;
  if (screen.state !== 'captured') {
    const text = screen.state === 'absent' ? `pane ${paneId} went away while it was looked at` : screen.text;
    return { kind: 'sensor-unavailable', source: 'screen', observedAt, paneId, text };
  }
  const written = screen.lines.filter((line) => line.trim() !== '').slice(-TAIL_LINES);
  return {
    kind: 'screen',
    source: 'screen',
    observedAt,
    paneId,
    isPromptEmpty: screen.cursor && isPromptEmpty(screen.lines, screen.cursor),
    tail: written.map((line) => visible(line, LINE_LENGTH)),
  };
}

function unseen(paneId: string, observedAt: number): Evidence {
  const text = `the working directory of pane ${paneId} cannot be read`;
  return { kind: 'sensor-unavailable', source: 'git', observedAt, paneId, text };
}
