import type { Moment } from '../../core/text/moment.ts';
import type { ProcessActuator, TmuxActuator } from '../../ports/actuator.ts';
import type { AgentAdapter } from '../../ports/agent.ts';
import type { Archive } from '../../ports/archive.ts';
import type { RunCommand } from '../../ports/command-runner.ts';
import type { Conversations } from '../../ports/conversations.ts';
import type { GateStore } from '../../ports/gate.ts';
import type { HookLog } from '../../ports/hook-log.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Locks, WriterLock } from '../../ports/lock.ts';
import type { Ends, Layouts, Starts } from '../../ports/records.ts';
import type { OpenFileSensor, ProcessOwners, ProcessSensor, TmuxSensor } from '../../ports/sensor.ts';
import type { Look } from '../look/look.ts';

/** Told before and after every step that lasts: what was done stays done when rollcall is killed right there. */
export type OnStep = (step: string, when: 'before' | 'after') => void;

/** The clock for whatever is waited for: nobody can step it, and it stands still while the machine is suspended. */
export function awake({ moment }: Pick<Hands, 'moment'>): number {
  return moment().awakeMs;
}

/** The clock for whatever may have grown old: it runs on while the machine is suspended, and while rollcall is stopped. */
export function sinceBoot({ moment }: Pick<Hands, 'moment'>): number {
  const { awakeMs, suspendedMs } = moment();
  return awakeMs + suspendedMs;
}

/** Everything that an action is done with; src/compose/ supplies the real ones. */
export interface Hands {
  readonly look: Look;
  readonly ledger: Ledger;
  readonly writer: WriterLock;
  readonly locks: Pick<Locks, 'tryLock'>;
  readonly tmux: TmuxActuator;
  readonly screens: Pick<TmuxSensor, 'capture'>;
  readonly processes: ProcessActuator &
    OpenFileSensor &
    Pick<ProcessSensor, 'sense' | 'details' | 'environment' | 'markers' | 'placesOf'>;
  /** Whose processes are, and who rollcall is. */
  readonly owners: ProcessOwners & { readonly own: number };
  readonly agents: readonly AgentAdapter[];
  /** What the agents' hooks have told. */
  readonly hooks: Pick<HookLog, 'about'>;
  readonly archive: Archive;
  /** Copies of the conversations of closed sessions. */
  readonly conversations: Conversations;
  /** How programs ended that are not yet in the ledger. */
  readonly ends: Ends;
  /** How what runs was started. */
  readonly starts: Starts;
  /** How what runs was last seen. */
  readonly layouts: Layouts;
  /** Work that somebody wants finished. */
  readonly gates: GateStore;
  readonly runCommand: RunCommand;
  /** How rollcall itself is started: Node.js and its program. */
  readonly own: readonly string[];
  /** What is put to sleep wakes when somebody attaches to its session. */
  readonly wakesOnAttach: boolean;
  /** The environment of whoever calls, with the PATH that the user gave. */
  readonly callerEnv: Readonly<Record<string, string | undefined>>;
  /** Names of what the caller has beside that, and that cannot be handed on as it is: no UTF-8. */
  readonly brokenVariables: readonly string[];
  /** The socket of a server by its label or path; without one, of the server that the caller is in, else the default. */
  socketOf(server?: string): string;
  /** The absolute path of the program that a word starts in a folder, with that PATH; null where there is none. */
  findProgram(word: string, cwd: string, path: string | undefined): string | null;
  /** False too where it gives no answer. */
  isFolder(path: string): boolean | Promise<boolean>;
  /** The same folder by the path that the kernel has for it. */
  realFolder(path: string): string;
  now(): number;
  /** The same instant on every clock, for what lasts. */
  moment(): Moment;
  wait(ms: number): Promise<void>;
  readonly onStep?: OnStep;
}
