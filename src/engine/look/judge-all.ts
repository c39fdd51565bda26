import type { RememberedPane } from '../../core/memory/recollection.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import type { PaneSighting } from '../../core/sight/sighting.ts';
import { classify } from '../../core/verdict/classify.ts';
import type { Evidence } from '../../core/verdict/evidence.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import { agentEvidence, needsScreen } from './agent-evidence.ts';
import type { HeardAgents } from './hear-agents.ts';
import type { LookOptions } from './look.ts';
import type { Scene, SessionLook } from './look-at-server.ts';
import type { Parts } from './parts.ts';
import type { PaneLook } from './read-pane.ts';
import { isUnchangedSince } from './screen-keeper.ts';
import { askGit, isWorthIt, lookAtScreens, type ScreensRead, type ScreenWish } from './second-look.ts';
import { seenSession } from './session-entry.ts';
import { findTerminalUsers, withTerminalUsers } from './terminal-users.ts';

interface Judged {
  readonly look: SessionLook;
  readonly evidence: readonly Evidence[];
  readonly verdict: Verdict;
}

/** All sessions with their verdicts, and what their screens leave to later looks. */
export interface JudgedSessions {
  readonly entries: readonly SessionEntry[];
  readonly mute: ReadonlySet<PaneLook>;
  readonly prompts: ScreensRead['prompts'];
}

/**
 * Judges all sessions. Screens, git and open files are asked only where they could decide: of an agent that nothing else tells
 * about, where everything cheaper already speaks for closing, or where a person wants it all.
 */
export async function judgeAll(
  looks: readonly SessionLook[],
  heard: HeardAgents,
  scene: Scene,
  parts: Parts,
  options: LookOptions,
): Promise<JudgedSessions> {
  const judge = (look: SessionLook, evidence: readonly Evidence[], now: Scene['now']): Judged => {
    return { look, evidence, verdict: classify(evidence, now, parts.policy, look.before) };
  };
  const first = looks.map((look) => judge(look, withAgents(look, heard, scene.now.at), scene.now));
  const entries = first.map(entryOf);
  const asked = new Set(options.inspect?.(entries).map((entry) => entry.key));
  const isWorthy = ({ look, verdict }: Judged) => asked.has(look.key) || isWorthIt(verdict, look);

  const forGit = (judged: readonly Judged[]) => (options.withoutGit ? [] : looksOf(judged));

  const worthy = first.filter(isWorthy);
  const wishes = first.flatMap((one) => wishOf(one.look, heard, scene.now.at, isWorthy(one)));
  if (wishes.length === 0) return { entries, mute: new Set(), prompts: new Map() };
  const [{ evidence: screens, mute, prompts }, git] = await Promise.all([
    lookAtScreens(wishes, parts),
    askGit(forGit(worthy), parts, scene),
  ]);
  const users = findTerminalUsers(looksOf(worthy), scene, parts);
  const again = (
    { look, evidence }: Judged,
    usersOf: typeof users,
    ...more: readonly ReadonlyMap<string, readonly Evidence[]>[]
  ): Judged => {
    const added = more.flatMap((each) => each.get(look.key) ?? []);
    const known = withTerminalUsers(evidence, usersOf.get(look.key));
    return judge(look, [...known, ...added], parts.host.now());
  };
  const isTold = ({ look }: Judged) => (screens.get(look.key)?.length ?? 0) > 0;
  const second = first.map((one) => (isWorthy(one) || isTold(one) ? again(one, users, screens, git) : one));

  // Some were found at rest only by their screen.
  const late = second.filter((one) => isWorthy(one) && !git.has(one.look.key));
  const lateGit = await askGit(forGit(late), parts, scene);
  const lateUsers = findTerminalUsers(
    looksOf(late).filter(({ key }) => !users.has(key)),
    scene,
    parts,
  );
  const judged = second.map((one, index) => {
    if (one === first[index]) return entries[index] as SessionEntry;
    const isLate = lateGit.has(one.look.key) || lateUsers.has(one.look.key);
    return entryOf(isLate ? again(one, lateUsers, lateGit) : one);
  });
  return { entries: judged, mute, prompts };
}

function withAgents(look: SessionLook, heard: HeardAgents, at: number): readonly Evidence[] {
  const agents = heard.get(look.key);
  return agents ? [...look.evidence, ...agents.flatMap((agent) => agentEvidence(agent, at))] : look.evidence;
}

function wishOf(look: SessionLook, heard: HeardAgents, now: number, isWhole: boolean): ScreenWish[] {
  const agents = heard.get(look.key) ?? [];
  if (isWhole) return [{ look, panes: look.panes, heard: agents, isWhole }];
  const unclear = new Set(agents.filter((agent) => needsScreen(agent, now)).map((agent) => agent.paneId));
  const panes = look.panes.filter(
    ({ sighting }) =>
      unclear.has(sighting.paneId) && !isStillMute(sighting, look.rememberedPanes[sighting.paneId], now),
  );
  return panes.length === 0 ? [] : [{ look, panes, heard: agents, isWhole }];
}

// A screen that told nothing tells nothing as long as it stays as it is. It is read again now and then all the same:
// the next version of rollcall may know it.
const MUTE_FOR_MS = 60_000;

function isStillMute(
  { lastOutputAt }: PaneSighting,
  before: RememberedPane | undefined,
  now: number,
): boolean {
  const { muteAt } = before ?? {};
  if (muteAt === undefined || now < muteAt || now - muteAt > MUTE_FOR_MS) return false;
  return isUnchangedSince(muteAt, lastOutputAt);
}

function entryOf({ look, evidence, verdict }: Judged): SessionEntry {
  return seenSession(look, verdict, evidence);
}

function looksOf(judged: readonly Judged[]): SessionLook[] {
  return judged.map(({ look }) => look);
}
