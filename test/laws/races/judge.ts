import type { Claim } from './claim.ts';
import { givenTo } from './racing-agent.ts';
import type { Subject } from './scenes.ts';
import type { Stage } from './stage.ts';
import { type Act, readTrace } from './trace.ts';

/** A law that was broken, in words. */
export interface Violation {
  readonly kind: string;
  readonly text: string;
}

export interface Happened {
  readonly stage: Stage;
  readonly subject: Subject;
  readonly claim: Claim;
  /** When the person had done it, on the monotonic clock. */
  readonly doneAt: number;
  readonly log: string;
}

/** Everything that was done wrong after the person had done what they did. */
export async function judge(happened: Happened): Promise<Violation[]> {
  const { stage, subject, claim, log } = happened;
  const doneAt = claim.since ?? happened.doneAt;
  const acts = [log, ...(claim.recoveryLog ? [claim.recoveryLog] : [])].flatMap(
    (path) => readTrace(path).acts,
  );
  const later = acts.filter(({ at, isDone }) => at > doneAt && isDone !== false);
  const earlier = acts.filter(({ at, isDone }) => at <= doneAt && isDone !== false);
  const found: Violation[] = [];
  const say = (kind: string, text: string) => found.push({ kind, text });

  for (const harm of await stage.harmed()) say('bystander', harm);
  if (claim.isUntouchable) {
    const harmless = claim.mayBeRemoved ? ['erase', 'remove'] : ['erase'];
    for (const act of later.filter(({ kind }) => !harmless.includes(kind)))
      say('touched', `${act.text} afterwards`);
  }
  for (const { pid, text } of acts) {
    if (pid !== null && !subject.own.includes(pid)) say('stranger', `${text}, which the close was not about`);
  }
  for (const pid of subject.kept) {
    if (!stage.world.isAlive(pid) && !claim.isReplaced)
      say('died', `pid ${pid}, which lives in another session too, is gone`);
  }
  const ids = await sessionIds(stage);
  // What was told to leave before, leaves; only what a person began must live all the same.
  const isEnding = ({ kind }: Act) => kind !== 'text' && kind !== 'erase';
  const isLeaving = earlier.some(isEnding) && !later.some(isEnding);
  for (const [name, pid] of claim.lives) {
    const isOwn = subject.own.includes(pid);
    if (!stage.world.isAlive(pid)) {
      if (!isOwn || !isLeaving) say('died', `${name} (pid ${pid}) is gone`);
      else if (claim.isPromised)
        say('promised too late', `${name} (pid ${pid}) had been told to leave, and left`);
    }
  }
  for (const id of claim.stands.filter((one) => !ids.includes(one))) {
    if (!isLeaving || id !== subject.sessionId) say('removed', `session ${id} is gone`);
    else if (claim.isPromised) say('promised too late', `session ${id} had been told to leave, and is gone`);
  }
  found.push(...(await judgeText(happened, later)));
  return found;
}

async function judgeText({ stage, subject, claim }: Happened, later: readonly Act[]): Promise<Violation[]> {
  const lines = givenTo(stage.world, subject.name).filter((given) => given.startsWith('line '));
  const found: Violation[] = [];
  if (lines.filter((line) => line === 'line /exit').length > 1)
    found.push({ kind: 'twice', text: '/exit was entered twice' });
  if (claim.draft === undefined) return found;
  const isSent = lines.some((line) => line.includes(claim.draft ?? ''));
  const screen = await stage.world.screen(subject.paneId).catch(() => null);
  if (isSent) found.push({ kind: 'sent', text: 'the words were sent' });
  else if (screen !== null && !screen.includes(claim.draft)) {
    const by = later.some(({ kind }) => kind === 'erase') ? 'were taken back' : 'are gone';
    found.push({ kind: 'draft lost', text: `the words ${by}` });
  }
  return found;
}

async function sessionIds(stage: Stage): Promise<string[]> {
  const { stdout } = await stage.world.run(['tmux', 'list-sessions', '-F', '#{session_id}']);
  return stdout.split('\n');
}
