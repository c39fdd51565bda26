/** How much a finding matters, the least first. */
export const SEVERITIES = ['ok', 'info', 'warning', 'error'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** Whose a process is. Only what is ours and orphaned may be ended without anybody naming it. */
export const PROCESS_CLASSES = [
  /** A helper of an agent that has ended, idle and left behind, positively known as such. */
  'ours-orphaned',
  /** It outlived a session of ours, and may be wanted: only a person who names it ends it. */
  'left-running',
  'belongs-to-a-live-session',
  'vendor-daemon-in-use',
  'foreign',
  /** What could tell gave no answer. */
  'unknown',
] as const;

export type ProcessClass = (typeof PROCESS_CLASSES)[number];

/** What `--fix` would do about a finding. Each goes through the single writer and leaves an entry in the ledger. */
export type Remedy =
  /** SIGTERM and SIGCONT to exactly this process, SIGKILL only by force; its class is proven again right before. */
  | {
      readonly kind: 'end-process';
      readonly pid: number;
      readonly startTicks: number;
      readonly program: string;
      /** A person has named it by its pid. */
      readonly isNamed?: true;
    }
  /** The close ladder, with its own proof. */
  | { readonly kind: 'close-session'; readonly key: string }
  /** A lost session gets its receipt; nothing is touched. Done only where its check is named: it may be wanted back. */
  | { readonly kind: 'settle-lost'; readonly key: string; readonly isOptional: true }
  /** A hold or a retention that has no session any more is taken back. */
  | { readonly kind: 'take-back'; readonly key: string; readonly what: 'hold' | 'retention' }
  /** A file of rollcall's own: rights that are too wide, a leftover. */
  | {
      readonly kind: 'own-file';
      readonly path: string;
      readonly what: 'make-private' | 'remove';
      /** What lay there when it was found; nothing is done to anything else. */
      readonly mark: string;
    };

/** One thing that a check found. */
export interface Finding {
  /** Kebab-case, stable once released; of processes, whose they are. */
  readonly class: string;
  readonly severity: Severity;
  readonly text: string;
  /** What it was concluded from, a line each. */
  readonly evidence: readonly string[];
  /** Null where it is for a person to mend; the hint says how. */
  readonly remedy: Remedy | null;
  /** What is done only where a person names its pid. */
  readonly onRequest?: Remedy;
  /** What `--fix` would do, step by step, or what a person can do. */
  readonly advice: readonly string[];
  readonly pid?: number;
  readonly session?: string;
  /** Sockets of the servers that it is about, where no session of its own tells. */
  readonly sockets?: readonly string[];
  /** It tells what could not be looked at. */
  readonly isUnseen?: true;
  readonly memoryBytes?: number;
}

/** What a check says of a finding; what it leaves out is empty, or null. */
export type FindingParts = Partial<Finding> & Pick<Finding, 'class' | 'severity' | 'text'>;

/** What one check looked at and found. */
export interface CheckReport {
  readonly name: string;
  readonly group: 'sessions' | 'processes' | 'machine';
  /** What it looks at, in words. */
  readonly looksAt: string;
  /** The worst of its findings. */
  readonly severity: Severity;
  readonly findings: readonly Finding[];
  /** Why it could not look; then it proves nothing, and nothing of it is fixed. */
  readonly problem: string | null;
  /** What it could not look at, a sentence each; what it found elsewhere holds. */
  readonly unseen: readonly string[];
}

/** Whether a check has not seen everything: that it found nothing then proves nothing. */
export function isBlind({ problem, unseen }: Pick<CheckReport, 'problem' | 'unseen'>): boolean {
  return problem !== null || unseen.length > 0;
}

/** What findings of one class hold together. */
export interface ClassMemory {
  readonly class: string;
  readonly count: number;
  readonly memoryBytes: number;
}

/** The memory of each class among findings whose memory is known, the largest first. */
export function memoryByClass(findings: readonly Finding[]): ClassMemory[] {
  const groups = new Map<string, ClassMemory>();
  for (const { class: of, memoryBytes } of findings) {
    if (memoryBytes === undefined) continue;
    const { count, memoryBytes: sum } = groups.get(of) ?? { count: 0, memoryBytes: 0 };
    groups.set(of, { class: of, count: count + 1, memoryBytes: sum + memoryBytes });
  }
  return [...groups.values()].sort((a, b) => b.memoryBytes - a.memoryBytes);
}

/** How the mending of one finding can end. `skipped`: it is not so any more, or not certain, and nothing was touched. */
export const MENDING_RESULTS = ['mended', 'would-mend', 'skipped', 'unanswered', 'failed'] as const;

/** What became of one finding that was to be mended. */
export interface Mending {
  readonly check: string;
  readonly finding: Finding;
  readonly result: (typeof MENDING_RESULTS)[number];
  readonly text: string;
}
