import { until } from '../../support/until.ts';
import { type Claim, NOTHING } from './claim.ts';
import type { Scene, Subject } from './scenes.ts';
import type { Stage } from './stage.ts';

/** The moment at which the program stands still. */
export interface Moment {
  readonly stage: Stage;
  readonly scene: Scene;
  readonly subject: Subject;
  /** The stopped program, by its number in the world. */
  readonly pid: number;
  readonly log: string;
}

/** Whatever of it lives at this moment has to live on. */
export function untouchable(moment: Moment): Claim {
  return { isUntouchable: true, lives: livingOf(moment), stands: [moment.subject.sessionId] };
}

export function isAgentGone({ stage, subject }: Moment): boolean {
  return subject.agentPid === null || !stage.world.isAlive(subject.agentPid);
}

/** Whatever of it lives at this moment, by its name. */
export function livingOf({ stage, subject }: Moment): Map<string, number> {
  const programs: [string, number][] = [
    ['the pane’s program', subject.panePid],
    ['the agent', subject.agentPid ?? 0],
  ];
  return new Map(programs.filter(([, pid]) => stage.world.isAlive(pid)));
}

/** Where it is in the windows that somebody is busy, it is enough that these live on in another session. */
export function inWindows({ subject }: Moment, claim: Claim): Claim {
  if (subject.kept.length === 0) return claim;
  return { ...claim, mayBeRemoved: true, stands: claim.stands.filter((id) => id !== subject.sessionId) };
}

/** Work that was just started by its name; where nobody took the keys, there is none. */
export async function working({ stage, subject }: Moment, name: string): Promise<Claim> {
  const found = await until('the work runs', () => stage.world.find(name), Boolean, 1500).catch(
    () => undefined,
  );
  if (found === undefined) return { ...NOTHING, note: 'nobody took the keys' };
  return { isUntouchable: true, lives: new Map([['the work', found.pid]]), stands: [subject.sessionId] };
}

/** Where it is gone, the person begins anew under its name. */
export async function elsewhere(
  { stage, subject }: Moment,
  note = 'it was gone, and a new one has its name',
): Promise<Claim> {
  const made = await stage.session(subject.name, ...stage.work('new-work')).catch(() => null);
  if (made === null) return { ...NOTHING, note: 'it could not be done' };
  return {
    ...NOTHING,
    lives: new Map([['the new session’s work', made.pid]]),
    stands: [made.sessionId],
    note,
  };
}

export async function keep(moment: Moment, argv: string[]): Promise<Claim> {
  const { stage } = moment;
  const { exitCode, stdout } = await stage.world.rollcall([...argv, '--reason', 'mine']);
  if (exitCode !== 0)
    return { ...NOTHING, note: `${argv[0]} was answered with ${exitCode} ${stdout.trim()}` };
  return { ...untouchable(moment), isPromised: true };
}

export async function stands({ stage, subject }: Moment): Promise<boolean> {
  const { exitCode } = await stage.world.run(['tmux', 'has-session', '-t', subject.sessionId]);
  return exitCode === 0;
}

export async function seen({ stage, subject }: Moment, holds: (screen: string) => boolean): Promise<boolean> {
  return until('it is shown', () => stage.world.screen(subject.paneId).catch(() => ''), holds, 1000).then(
    () => true,
    () => false,
  );
}
