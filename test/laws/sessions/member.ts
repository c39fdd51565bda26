import { readFileSync } from 'node:fs';
import type { Running } from './processes.ts';
import type { Spec } from './spec.ts';

/** A session of a batch as it was made. */
export interface Member {
  readonly spec: Spec;
  readonly label: string;
  readonly cwd: string;
  readonly conversation: string;
  /** Where its agent says what it does; beside it lies what it was given. */
  readonly file: string;
  readonly sessionId: string;
  readonly paneId: string;
  key: string;
  /** As it was when the deeds began. */
  before: Standing;
}

/** A session as it stands, by what tmux and the kernel tell. */
export interface Standing {
  readonly isThere: boolean;
  readonly panes: readonly { readonly id: string; readonly pid: number }[];
  readonly processes: readonly Running[];
  /** The text of each pane, with its history. */
  readonly screens: ReadonlyMap<string, string>;
  /** What its agent was given: lines, signals. */
  readonly given: readonly string[];
}

export const NOWHERE: Standing = { isThere: false, panes: [], processes: [], screens: new Map(), given: [] };

/** What an agent was given, in order. */
export function givenTo(file: string): string[] {
  try {
    return readFileSync(`${file}.log`, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** The process that its agent says it is; 0 where none has spoken. */
export function agentPid(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

/** How commands of tmux name it, whatever it is called. */
export function target({ sessionId }: Pick<Member, 'sessionId'>): string {
  return `${sessionId}:`;
}

/** The words of one that rollcall is asked about: its key, or where that names one only, its name. */
export function wordFor(member: Member, all: readonly Member[]): string {
  const { name } = member.spec;
  const isPlain = /^[a-z]+(-\d+)*$/.test(name);
  const isUnique = all.filter(({ spec }) => spec.name === name).length === 1;
  if (!isPlain || member.spec.delayMs % 3 === 0) return member.key;
  return isUnique ? name : `${member.label}:${name}`;
}
