import type { WaitingFor } from '../../../src/core/verdict/verdict.ts';
import { type AgentKind, type Conversation, KINDS, optionIn } from './agent-kinds.ts';
import type { AgentTruth, AgentWord, Leaving } from './agent-parts.ts';
import { drawAgent } from './agent-screen.ts';
import { type HookWord, sendHook } from './hooks.ts';
import type { By } from './journal.ts';
import type { Machine } from './machine.ts';
import type { Program, Reaction, Signal, SimProcess } from './process.ts';
import type { SimPane } from './tmux-parts.ts';

/** An agent behind a process: the truth about it, and what it shows of that. */
export class SimAgent implements Program {
  readonly machine: Machine;
  readonly process: SimProcess;
  readonly kind: AgentKind;
  readonly truth: AgentTruth;
  /** How late its own status and its screen follow the truth, ms. */
  readonly lags = { status: 0, screen: 0 };
  /** False: nothing that it shows follows the truth any more (it hangs in its redraw, its status cannot be written). */
  readonly shows = { status: true, screen: true, title: true };
  readonly leaving: Leaving = {
    exit: { afterMs: 200 },
    term: { endsAfterMs: 100 },
    hangup: 'ends',
    child: null,
  };
  /** What becomes of a hook event that it sends. */
  fateOfHook: (event: string) => 'sent' | 'lost' | 'twice' | { readonly lateMs: number } = () => 'sent';
  /** Some of its hooks were lost, or came late or twice. */
  mayHooksMislead = false;
  /** The clock was set back since it began: what its hooks told before is told of the future. */
  isAheadOfClock = false;
  /** In whose spools its hooks write: names of installs. */
  hooksOf: readonly string[] = ['home'];
  word: AgentWord;
  pane: SimPane;

  constructor(machine: Machine, process: SimProcess, pane: SimPane, kind: AgentKind) {
    [this.machine, this.process, this.pane, this.kind] = [machine, process, pane, kind];
    const resumed = optionIn(process.argv, '--resume');
    const conversation = KINDS[kind].hasConversation
      ? (resumed ?? machine.rng.fork(`conversation ${process.pid} ${process.startTicks}`).uuid())
      : null;
    this.truth = {
      ...{
        turn: 'over',
        turnBeganMs: null,
        dialog: null,
        draft: '',
        background: 0,
        conversation,
        isStarting: true,
      },
    };
    this.word = { turn: 'over', dialog: null, background: 0, ...sinceNow(machine) };
    machine.agents.add(this);
    this.#note('agent-started', 'agent', conversation ?? undefined);
    if (conversation !== null) this.#note('conversation', 'agent', conversation);
    machine.clock.after(KINDS[kind].startMs, () => this.#ready());
  }

  get isAlive(): boolean {
    return this.process.ending === null;
  }

  get conversation(): Conversation | null {
    const { conversation } = this.truth;
    return conversation === null
      ? null
      : this.machine.conversationOf(conversation, this.kind, this.process.cwd);
  }

  /** A turn begins: somebody has sent a prompt, or it has called itself. */
  beginTurn(by: By, prompt = 'go on'): void {
    if (!this.isAlive || this.truth.turn === 'running') return;
    this.truth.turn = 'running';
    this.truth.turnBeganMs = this.machine.clock.ms;
    this.#note('turn-began', by, prompt.slice(0, 40));
    this.conversation?.turns.push({ at: this.machine.clock.at, isOver: false });
    this.machine.processes.use(this.process, KINDS[this.kind].workingShare);
    this.#tell('prompt', { turn: 'running', isPrompt: true, waitingFor: null });
  }

  endTurn(by: By = 'agent'): void {
    if (!this.isAlive || this.truth.turn === 'over') return;
    this.truth.turn = 'over';
    this.truth.dialog = null;
    const last = this.conversation?.turns.at(-1);
    if (last !== undefined) [last.isOver, last.at] = [true, this.machine.clock.at];
    this.#note('turn-ended', by);
    this.machine.processes.use(this.process, 0);
    this.#tell('stop', { turn: 'over', waitingFor: null, background: this.truth.background });
  }

  /** It asks, in the middle of its turn or at its end, and waits for a person. */
  openDialog(waitingFor: WaitingFor, by: By = 'agent'): void {
    if (!this.isAlive) return;
    this.truth.dialog = waitingFor;
    this.#note('dialog-opened', by, waitingFor);
    this.machine.processes.use(this.process, 0);
    this.#tell('notify', { waitingFor });
  }

  /** Somebody has answered. */
  answerDialog(by: By = 'person'): void {
    const { dialog, turn } = this.truth;
    if (!this.isAlive || dialog === null) return;
    this.truth.dialog = null;
    this.#note('dialog-closed', by, dialog);
    if (turn === 'running') this.machine.processes.use(this.process, KINDS[this.kind].workingShare);
    this.#tell('tool', { waitingFor: null, ...(turn === 'running' && { turn }) });
  }

  /** What stands in its input box from now on. */
  setDraft(draft: string, by: By): void {
    if (!this.isAlive || this.truth.draft === draft) return;
    this.truth.draft = draft;
    this.#note('draft', by, draft.slice(0, 40));
    this.#show();
  }

  /** So many tasks run that outlive the turn. */
  setBackground(count: number, by: By = 'agent'): void {
    if (!this.isAlive || this.truth.background === count) return;
    this.truth.background = count;
    this.#note('background', by, count);
    this.#tell('background', { background: count });
  }

  /** Starts something below itself, as a tool does. */
  startChild(argv: readonly string[], by: By = 'agent', isApart = false): SimProcess {
    const { pid, cwd, env } = this.process;
    return this.machine.processes.spawn(
      { argv, cwd, env, ppid: pid, group: 'own', ...(isApart && { session: 'own' }) },
      by,
    );
  }

  /** It goes by itself. */
  leave(by: By, status = 0): void {
    const { child } = this.leaving;
    if (!this.isAlive) return;
    if (child !== null) this.startChild(child, 'agent', true);
    this.machine.processes.end(this.process, { status }, by);
  }

  typed(text: string, by: By): void {
    if (this.truth.isStarting) return;
    if (this.truth.dialog !== null) return;
    this.setDraft(this.truth.draft + text, by);
  }

  pressed(key: 'Enter' | 'BSpace', by: By): void {
    const { draft, dialog, isStarting } = this.truth;
    if (isStarting) return;
    if (dialog !== null) {
      if (key === 'Enter') this.answerDialog(by);
      return;
    }
    if (draft === '') return;
    this.setDraft(key === 'BSpace' ? draft.slice(0, -1) : '', by);
    if (key === 'BSpace') return;
    if (draft === KINDS[this.kind].exit) this.#asked(by);
    else this.beginTurn(by, draft);
  }

  signalled(signal: Signal): Reaction {
    if (signal === 'SIGHUP') return this.leaving.hangup;
    return signal === 'SIGTERM' ? this.leaving.term : 'ends';
  }

  ended(): void {
    this.machine.agents.delete(this);
    const { isStarting } = this.truth;
    if (!isStarting && KINDS[this.kind].sendsEnd) this.#hook({ event: 'end', meaning: { isEnd: true } });
    this.#note('agent-left', 'agent');
  }

  /** What it shows follows the truth again, now. */
  redraw(): void {
    this.#tellStatus();
    this.#draw();
  }

  #ready(): void {
    if (!this.isAlive) return;
    this.truth.isStarting = false;
    this.#hook({ event: 'start', meaning: { isStart: true } });
    this.#show();
    const prompt = optionIn(this.process.argv, '--prompt');
    if (prompt !== null) this.beginTurn('agent', prompt);
  }

  #asked(by: By): void {
    const { exit } = this.leaving;
    if (exit === 'asks') this.openDialog('question');
    else if (exit !== 'ignored') this.machine.clock.after(exit.afterMs, () => this.leave(by));
  }

  #tell(event: HookWord['event'], meaning: HookWord['meaning']): void {
    this.#hook({ event, meaning });
    this.#show();
  }

  #hook(word: HookWord): void {
    if (KINDS[this.kind].hasHooks) sendHook(this, word);
  }

  #show(): void {
    const { clock } = this.machine;
    if (this.lags.status === 0) this.#tellStatus();
    else clock.after(this.lags.status, () => this.#tellStatus());
    if (this.lags.screen === 0) this.#draw();
    else clock.after(this.lags.screen, () => this.#draw());
  }

  #tellStatus(): void {
    const { turn, dialog, background } = this.truth;
    if (!this.isAlive || !this.shows.status) return;
    const isSame =
      turn === this.word.turn && dialog === this.word.dialog && background === this.word.background;
    if (!isSame) this.word = { turn, dialog, background, ...sinceNow(this.machine) };
  }

  #draw(): void {
    if (this.isAlive && this.shows.screen && !this.pane.isDead) drawAgent(this);
  }

  #note(what: Parameters<typeof noteAgent>[1], by: By, detail?: string | number): void {
    noteAgent(this, what, by, detail);
  }
}

function sinceNow({ clock }: Machine): Pick<AgentWord, 'sinceAt' | 'sinceMs'> {
  return { sinceAt: clock.at, sinceMs: clock.ms };
}

function noteAgent(
  { machine, process: { pid, startTicks }, kind }: SimAgent,
  what:
    | 'agent-started'
    | 'agent-left'
    | 'turn-began'
    | 'turn-ended'
    | 'dialog-opened'
    | 'dialog-closed'
    | 'draft'
    | 'background'
    | 'conversation',
  by: By,
  detail: string | number | undefined,
): void {
  machine.journal.note(by, { what, pid, startTicks, kind, ...(detail !== undefined && { detail }) });
}
