import type { KnownPrompt } from '../../core/prompt/doubt.ts';
import type { GitSighting, PresentServer, ScreenSighting } from '../../core/sight/sighting.ts';
import { visible } from '../../core/text/visible.ts';
import { acceptedCompletion } from '../../core/verdict/declared.ts';
import type { Evidence } from '../../core/verdict/evidence.ts';
import { covered, foreignRepository, foreignWorkTree } from '../../core/verdict/unseen-folder.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import { firstRecordOf, workSince } from '../../core/verdict/work-since.ts';
import { type HeardAgent, screenSign } from './agent-evidence.ts';
import { factsIn } from './declared-standing.ts';
import type { Scene, SessionLook } from './look-at-server.ts';
import type { Parts } from './parts.ts';
import { type PromptReading, provePrompt } from './prove-prompt.ts';
import type { PaneLook } from './read-pane.ts';

/** Panes of one session whose screens are wanted, and the agents that were heard in it. */
export interface ScreenWish {
  readonly look: SessionLook;
  readonly panes: readonly PaneLook[];
  readonly heard: readonly HeardAgent[];
  /** Everything is wanted, not only what an agent's adapter reads on its screen. */
  readonly isWhole: boolean;
}

// Checks that only a screen or git can meet, and the one that stays open while a completed session is kept.
const DEAR = new Set(['nothing-unsent', 'work-saved']);
const KEPT = new Set([...DEAR, 'rested', 'finished-or-resumable']);
const TAIL_LINES = 12;
const LINE_LENGTH = 300;

/** Worth a second look: everything that is cheap to see already speaks for closing, or for keeping what is complete. */
export function isWorthIt(verdict: Verdict, { declared }: Pick<SessionLook, 'declared'>): boolean {
  const isComplete = declared !== undefined && acceptedCompletion(declared) !== null;
  const mayRest = verdict.activity === 'idle' || verdict.activity === 'exited';
  // A plain terminal rests only where a completion speaks for it, which its checklist tells.
  if (!mayRest && !(isComplete && verdict.activity === 'none')) return false;
  const open = verdict.checks.filter((check) => check.state !== 'met');
  const dear = isComplete ? KEPT : DEAR;
  return open.some(({ code }) => DEAR.has(code)) && open.every(({ code }) => dear.has(code));
}

/** What the screens told, by session key, and the panes whose screens told nothing. */
export interface ScreensRead {
  readonly evidence: ReadonlyMap<string, readonly Evidence[]>;
  readonly mute: ReadonlySet<PaneLook>;
  /** Prompts that were proven for the first time. */
  readonly prompts: ReadonlyMap<PaneLook, KnownPrompt>;
}

/** Captures screens, in one batch for each server, and has the agents' adapters read theirs. */
export async function lookAtScreens(wishes: readonly ScreenWish[], parts: Parts): Promise<ScreensRead> {
  const screens = await captureAll(wishes, parts);
  const mute = new Set<PaneLook>();
  const prompts = new Map<PaneLook, KnownPrompt>();
  const evidence = wishes.map(async ({ look, panes, heard, isWhole }) => {
    const told = panes.map(async (pane): Promise<Evidence[]> => {
      const { paneId } = pane.sighting;
      const screen = screens.get(look.server)?.get(paneId);
      if (!screen) return [];
      if (screen.state !== 'captured') return [unseenScreen(screen)];
      const agent = heard.find((one) => one.paneId === paneId);
      const signs = agent ? screenSign(agent, screen) : [];
      if (signs.length === 0) mute.add(pane);
      // A screen on which nothing is understood changes no verdict.
      if (signs.length === 0 && !isWhole) return [];
      const prompt = await provePrompt(look, pane, screen, parts);
      if (prompt.proven) prompts.set(pane, prompt.proven);
      return [screenEvidence(screen, prompt), ...signs];
    });
    return [look.key, (await Promise.all(told)).flat()] as const;
  });
  return { evidence: new Map(await Promise.all(evidence)), mute, prompts };
}

async function captureAll(
  wishes: readonly ScreenWish[],
  parts: Parts,
): Promise<Map<PresentServer, Map<string, ScreenSighting>>> {
  const byServer = new Map<PresentServer, Map<string, PaneLook['sighting']>>();
  for (const { look, panes } of wishes) {
    const wanted = byServer.get(look.server) ?? new Map();
    for (const { sighting } of panes) wanted.set(sighting.paneId, sighting);
    byServer.set(look.server, wanted);
  }
  const batches = [...byServer].map(
    async ([server, panes]) => [server, await parts.screens.screensOf(server, [...panes.values()])] as const,
  );
  return new Map(await Promise.all(batches));
}

/** Asks git once for all folders of these sessions; by session key. */
export async function askGit(
  looks: readonly SessionLook[],
  parts: Parts,
  scene: Pick<Scene, 'declared' | 'now'>,
): Promise<Map<string, Evidence[]>> {
  if (looks.length === 0) return new Map();
  const cwds = looks.flatMap((look) => look.panes.flatMap((pane) => pane.cwd ?? []));
  const answers = await parts.git.sense([...new Set(cwds)]);
  const byCwd = new Map(answers.map((answer) => [answer.cwd, answer]));
  return new Map(
    looks.map((look) => {
      const since = sinceOf(look, scene);
      const evidence = look.panes.flatMap((pane): Evidence[] => {
        const { cwd, unseen, sighting } = pane;
        const { paneId } = sighting;
        if (cwd === null) return [unseenFolder(paneId, unseen, scene.now.at)];
        const facts = byCwd.get(cwd);
        return facts ? [gitEvidence(pane, facts, since, parts)] : [];
      });
      return [look.key, evidence];
    }),
  );
}

type Captured = Extract<ScreenSighting, { state: 'captured' }>;

function unseenScreen(screen: Exclude<ScreenSighting, Captured>): Evidence {
  const { observedAt, paneId } = screen;
  const text = screen.state === 'absent' ? `pane ${paneId} went away while it was looked at` : screen.text;
  return { kind: 'sensor-unavailable', source: 'screen', observedAt, paneId, text };
}

function screenEvidence(
  { observedAt, paneId, lines }: Captured,
  { isPromptEmpty, promptDoubt }: PromptReading,
): Evidence {
  const written = lines.filter((line) => line.trim() !== '').slice(-TAIL_LINES);
  return {
    kind: 'screen',
    source: 'screen',
    observedAt,
    paneId,
    isPromptEmpty,
    ...(promptDoubt !== undefined && { promptDoubt }),
    tail: written.map((line) => visible(line, LINE_LENGTH)),
  };
}

function gitEvidence(pane: PaneLook, facts: GitSighting, since: number, parts: Parts): Evidence {
  const { paneId } = pane.sighting;
  const unseen = strangeness(pane, facts, parts);
  const { observedAt } = facts;
  return {
    ...{ kind: 'git', source: 'git', observedAt, paneId, since },
    facts: unseen === null ? facts : { state: 'failed', cwd: facts.cwd, observedAt, text: unseen },
    ...(unseen !== null && { unseen }),
  };
}

/** Why what git told is not about what the pane works in, or null. */
function strangeness({ cwd, worker }: PaneLook, facts: GitSighting, { processes }: Parts): string | null {
  if (worker === null || cwd === null) return null;
  if (!processes.standsAt(worker, cwd)) return covered(worker);
  if (facts.state !== 'repository') return null;
  const { root, repository = `${root}/.git` } = facts;
  // git looks at the whole work tree, of which the folder of the pane may be a small part.
  const other = processes.otherPath(worker, () => [repository, root]);
  if (other === null) return null;
  return other === root ? foreignWorkTree(worker, root) : foreignRepository(worker);
}

function unseenFolder(paneId: string, why: string | null, observedAt: number): Evidence {
  const text = why ?? `the working directory of pane ${paneId} cannot be read`;
  return { kind: 'sensor-unavailable', source: 'git', observedAt, paneId, text };
}

/** From when on unsaved work may be that of a session. */
function sinceOf(
  { key, session, panes, evidence }: SessionLook,
  { declared, now }: Pick<Scene, 'declared' | 'now'>,
): number {
  const dead = panes.filter(({ sighting }) => sighting.isDead);
  const beginnings = {
    createdAt: session.createdAtSeconds * 1000,
    startedAt: panes.flatMap(({ processes }) => processes.map(({ startedAt }) => startedAt)),
    deadAt: dead.flatMap(({ sighting }) => sighting.lastOutputAt ?? []),
    recordedAt: firstRecordOf(key, factsIn(declared)),
  };
  const clock = evidence.find((piece) => piece.kind === 'clock');
  return workSince(beginnings, clock, now.at);
}
