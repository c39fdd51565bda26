import { type ProcessMark, processKey } from '../../sight/identity.ts';
import type { SessionEntry } from '../../sight/roll.ts';
import { visible } from '../../text/visible.ts';
import type { HelperKind, ProcessNote } from '../../verdict/evidence.ts';
import { type Attribution, living } from '../around.ts';
import { attributeAll } from '../attribute.ts';
import type { DoctorFacts } from '../facts.ts';
import type { FindingParts, ProcessClass, Remedy, Severity } from '../finding.ts';
import { socketOf } from '../narrow.ts';

/** A process that a check may speak of. */
interface Listed extends Attribution, ProcessMark {
  readonly program: string;
  readonly command: string;
  readonly helper: HelperKind | null;
  readonly isAgent: boolean;
  readonly memoryBytes: number;
  /** Of the server that it was started on, where its session does not tell. */
  readonly sockets: readonly string[];
}

/** What is found of those processes that are meant. */
export function examineListed(facts: DoctorFacts, isMeant: (one: Listed) => boolean) {
  return blindness(facts) ?? [...hiddenOnes(facts), ...listedIn(facts).filter(isMeant).map(findingOn)];
}

const told = new WeakMap<DoctorFacts, readonly Listed[]>();

/** Every agent, helper of one and leftover of a session that is this user's, with the word on it. Kept with its facts. */
function listedIn(facts: DoctorFacts): readonly Listed[] {
  const known = told.get(facts);
  if (known) return known;
  const all = listAll(facts);
  told.set(facts, all);
  return all;
}

function listAll(facts: DoctorFacts): Listed[] {
  const own = attributeAll(facts).filter(({ stranger }) => stranger.uid === facts.processes.ownUid);
  const strange = own.map(({ stranger, ...attribution }): Listed => {
    const { process, program, helper, memoryBytes, marks } = stranger;
    const { pid, startTicks } = process;
    const { name, command } = program;
    const isAgent = program.role === 'agent';
    const { session } = attribution;
    const started = session === null ? [] : socketOf(session.key, facts);
    const sockets = started.length > 0 || marks?.pane == null ? started : [marks.pane.socketPath];
    return { ...attribution, pid, startTicks, program: name, command, helper, isAgent, memoryBytes, sockets };
  });
  // Grouped sessions show the same panes.
  return [...new Map([...strange, ...livingIn(facts)].map((one) => [processKey(one), one])).values()];
}

// Of what lives in panes, agents, their helpers and detached processes are told of; the rest is on the roll.
function livingIn({ roll }: DoctorFacts): Listed[] {
  return roll.sessions.flatMap((entry) =>
    entry.evidence.flatMap((piece) =>
      piece.kind === 'processes' ? piece.processes.flatMap((note) => listedNote(note, entry)) : [],
    ),
  );
}

function listedNote(note: ProcessNote, entry: SessionEntry): Listed[] {
  const { pid, startTicks, program, command, role, relation, memoryBytes } = note;
  const helper = note.helper ?? null;
  if (role !== 'agent' && helper === null && relation !== 'outside') return [];
  const how =
    relation === 'outside' ? 'it was started in its pane, and detached from it' : 'it is in its pane';
  const isAgent = role === 'agent';
  const sockets = [entry.server.socketPath];
  return [
    { ...living(entry, how), pid, startTicks, program, command, helper, isAgent, memoryBytes, sockets },
  ];
}

const SEVERITY: Readonly<Record<ProcessClass, Severity>> = {
  'ours-orphaned': 'warning',
  'left-running': 'info',
  'belongs-to-a-live-session': 'ok',
  'vendor-daemon-in-use': 'ok',
  foreign: 'info',
  unknown: 'info',
};

/** What is found of one process. Only an orphan of ours has a remedy; what was left running has one for who names it. */
function findingOn(listed: Listed): FindingParts {
  const { class: of, pid, startTicks, program, command, helper, text, session } = listed;
  const { memoryBytes, sockets } = listed;
  const isOurs = of === 'ours-orphaned';
  const ending = { kind: 'end-process', pid, startTicks, program } as const;
  const remedy: Remedy | null = isOurs ? ending : null;
  const isAlarming = of === 'left-running' && listed.isAgent;
  const what = helper === null ? program : `${program} (${helper})`;
  return {
    ...{ class: of, severity: isAlarming ? 'warning' : SEVERITY[of], pid, memoryBytes, remedy, sockets },
    ...((isOurs || of === 'left-running') && { onRequest: { ...ending, isNamed: true } }),
    text: `${what}, pid ${pid}: ${text}`,
    evidence: [...listed.evidence, `command: ${command}`],
    advice: isOurs
      ? STEPS
      : of === 'left-running'
        ? [`if nobody wants it: rollcall doctor --fix --pid ${pid}`]
        : [],
    ...(session && { session: session.key }),
  };
}

const STEPS: readonly string[] = [
  'prove once more, right before, that nobody has it and that nothing protects it',
  'record the intent, with its pid, its program and the evidence',
  'SIGTERM and SIGCONT to this very process, then wait until it is gone; SIGKILL only with --force',
  'leave a receipt in the ledger',
];

/** Processes cannot be judged where none can be seen. */
export function blindness({ table }: DoctorFacts): { readonly problem: string } | null {
  if (table.byPid.size > 0) return null;
  return { problem: table.problem ?? 'no process can be seen' };
}

/** Said once, where not all processes can be seen (`hidepid`): what is hidden is on no list. */
function hiddenOnes({ table, roll }: DoctorFacts): FindingParts[] {
  if (table.isComplete) return [];
  return [
    {
      class: 'not-all-seen',
      severity: 'warning',
      isUnseen: true,
      text: `not all processes can be seen: ${visible(table.problem ?? 'the table is not complete', 300)}`,
      advice: ['run it as a user that may see them, or mount /proc without hidepid'],
      sockets: roll.servers.map(({ socketPath }) => socketPath),
    },
  ];
}
