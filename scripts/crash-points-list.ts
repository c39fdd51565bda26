import { CLOSE_STEPS, HIBERNATE_STEPS } from '../src/engine/act/close/taken.ts';
import { COMPLETE_STEPS } from '../src/engine/act/complete.ts';
import { ADOPT_STEPS } from '../src/engine/act/declare-standing.ts';
import { REOPEN_ASLEEP_STEPS, REOPEN_STEPS } from '../src/engine/act/reopen/order.ts';
import { RUN_STEPS } from '../src/engine/act/run.ts';
import { WAKE_STEPS } from '../src/engine/act/sleep/wake-order.ts';
import { STOP_STEPS } from '../src/engine/gate/settle-stop.ts';

interface Killed {
  readonly steps: readonly string[];
  /** The test that kills around each of them. */
  readonly test: string;
}

/** The steps of each deed around which a test kills. */
export const KILLED: Readonly<Record<string, Killed>> = {
  run: { steps: RUN_STEPS, test: 'test/e2e/run-crash.test.ts' },
  complete: { steps: COMPLETE_STEPS, test: 'test/e2e/run-crash.test.ts' },
  adopt: { steps: ADOPT_STEPS, test: 'test/e2e/run-crash.test.ts' },
  close: { steps: CLOSE_STEPS, test: 'test/e2e/close-crash.test.ts' },
  reopen: { steps: REOPEN_STEPS, test: 'test/e2e/close-crash.test.ts' },
  restore: { steps: REOPEN_ASLEEP_STEPS, test: 'test/e2e/restore-crash.test.ts' },
  hibernate: { steps: HIBERNATE_STEPS, test: 'test/e2e/hibernate-crash.test.ts' },
  wake: { steps: [...WAKE_STEPS, 'sleep-again'], test: 'test/e2e/wake-crash.test.ts' },
  stop: { steps: STOP_STEPS, test: 'test/engine/gate/stop-gate.test.ts' },
  recover: { steps: ['recovered', 'receipt', 'every call'], test: 'test/e2e/recovery-crash.test.ts' },
  hold: { steps: ['every call'], test: 'test/e2e/recovery-crash.test.ts' },
};

/** What needs no kill of its own, or has none yet. */
export const WITHOUT_STEP: Readonly<Record<string, string>> = {
  lock: 'the kernel lets it go with its holder',
  leftover:
    'a file of rollcall’s own that is no longer needed; where it stays, the next command takes it for what it is, and drops it',
  again: 'done again by the next look or command, which does not know whether it was done',
  'before the record':
    'what stands before the entry is undone or done again by the one who finds no entry; the entry alone counts',
  'not killed': 'no test kills here yet',
};

/** Steps with a name around which no test kills yet. */
export const STEPS_NOT_KILLED: readonly string[] = [
  'act/ends/record-ends.ts end',
  'doctor/end-orphans.ts terminate',
  'doctor/end-orphans.ts kill',
];

/** At which step each lasting call is killed, or one of the words above. */
export const CRASH_POINTS: Readonly<Record<string, string>> = {
  'act/close/archive-session.ts archiveSession: archive.write': 'close/archive, hibernate/archive',
  'act/close/archive-session.ts keepLastScreens: archive.add': 'again',
  'act/close/ask.ts askToLeave: tmux.type': 'close/type, hibernate/type',
  'act/close/ask.ts enter: tmux.press': 'close/enter, hibernate/enter',
  'act/close/ask.ts takenBack: tmux.press': 'not killed',
  'act/close/await-decision.ts closedByOthers: locks.tryLock': 'lock',
  'act/close/one-step.ts inOneStep: writer.hold': 'lock',
  'act/close/processes.ts signalIf: tmux.signal': 'close/terminate, close/kill, hibernate/terminate',
  'act/close/processes.ts signalAll: processes.signal': 'close/sweep, hibernate/sweep',
  'act/close/remove-rung.ts remove: tmux.removeSession': 'close/remove',
  'act/conversations/keep.ts keepOne: conversations.keep': 'close/conversations, hibernate/conversations',
  'act/conversations/put-back.ts putOneBack: conversations.putBack': 'reopen/put-back, wake/put-back',
  'act/declare-standing.ts hold: tmux.markHeld': 'hold/every call',
  'act/declare-standing.ts markAsRecorded: tmux.markHeld': 'hold/every call',
  'act/declare-standing.ts stampPane: tmux.stamp': 'adopt/stamp',
  'act/declare.ts declare: writer.hold': 'lock',
  'act/deed.ts recordStep: ledger.append':
    'run/intent, close/intent, close/receipt, close/outcome, adopt/declared, recover/recovered',
  'act/deed.ts perform: locks.tryLock': 'lock',
  'act/deed.ts perform: writer.hold': 'lock',
  'act/ends/record-ends.ts dueRecords: ends.drop': 'leftover',
  'act/ends/record-ends.ts recordEnd: locks.tryLock': 'lock',
  'act/ends/record-ends.ts recordEnd: ends.drop': 'leftover',
  'act/keep-start.ts keepStart: starts.keep': 'run/keep, reopen/keep, wake/keep',
  'act/keep-start.ts dropStarts: starts.drop': 'leftover',
  'act/outlast-close.ts isOver: locks.tryLock': 'lock',
  'act/recover-run.ts recoverRun: tmux.letGo': 'again',
  'act/recover-run.ts recoverRun: tmux.markHeld': 'again',
  'act/recover-run.ts goneRun: ends.drop': 'leftover',
  'act/recover-run.ts goneRun: starts.drop': 'leftover',
  'act/recover-run.ts finishReopened: ledger.append': 'not killed',
  'act/recover-run.ts layOutRest: tmux.layOut': 'not killed',
  'act/recover.ts recoverAll: locks.tryLock': 'lock',
  'act/reopen/asleep.ts archiveAsleep: archive.write': 'restore/asleep',
  'act/reopen/bring-back.ts bringBack: tmux.markHeld': 'reopen/start, reopen/lay-out',
  'act/reopen/bring-back.ts layOut: tmux.layOut': 'reopen/lay-out',
  'act/reopen/conversation.ts waitFor: locks.tryLock': 'lock',
  'act/reopen/reopen-session.ts makeAgain: ends.drop': 'leftover',
  'act/reopen/reopen-session.ts makeAgain: starts.drop': 'leftover',
  'act/run-see.ts settleBirth: tmux.letGo': 'run/settle, reopen/settle',
  'act/run.ts over: ends.drop': 'leftover',
  'act/run.ts over: starts.drop': 'leftover',
  'act/sleep/hold-pane.ts holdPane: tmux.setEnd': 'hibernate/hold-pane',
  'act/sleep/hold-pane.ts releasePane: tmux.setEnd': 'not killed',
  'act/sleep/recover-hibernate.ts releaseTo: tmux.setEnd': 'recover/every call',
  'act/sleep/recover-wake.ts recoverWake: starts.drop': 'recover/every call',
  'act/sleep/recover-wake.ts recoverWake: ends.drop': 'leftover',
  'act/sleep/recover-wake.ts recoverWake: tmux.setEnd': 'recover/every call',
  'act/sleep/recover-wake.ts recoverWake: tmux.enterOnAttach': 'recover/every call',
  'act/sleep/sleep-rung.ts layToSleep: tmux.startInPane': 'hibernate/sleep',
  'act/sleep/sleeper.ts awaitPeople: tmux.enterOnAttach': 'hibernate/sleep',
  'act/sleep/sleeper.ts sleepAgain: tmux.startInPane': 'wake/sleep-again',
  'act/sleep/wake-session.ts wakeAlone: starts.drop': 'leftover',
  'act/sleep/wake-up.ts wakeUp: ends.drop': 'leftover',
  'act/sleep/wake-up.ts wakeUp: tmux.setEnd': 'wake/settle',
  'act/sleep/wake-up.ts wakeUp: tmux.enterOnAttach': 'wake/settle',
  'act/sleep/wake-up.ts start: tmux.startInPane': 'wake/start',
  'act/start-in.ts startSession: tmux.startSession': 'run/start, reopen/start',
  'doctor/mend-other.ts mendFile: writer.hold': 'lock',
  'doctor/mend-other.ts mendFile: files.mend': 'again',
  'doctor/mend-other.ts mendFile: ledger.append': 'not killed',
  'gate/end-gate.ts finishGate: store.save': 'again',
  'gate/end-gate.ts end: store.save': 'before the record',
  'gate/end-gate.ts end: ledger.append': 'not killed',
  'gate/entries.ts drainPassed: ledger.append': 'not killed',
  'gate/entries.ts drainPassed: store.emptyPassed': 'leftover',
  'gate/move-gates.ts moveGates: store.save': 'again',
  'gate/move-gates.ts moveGates: ledger.append': 'not killed',
  'gate/set-mode.ts setGateMode: writer.hold': 'lock',
  'gate/set-mode.ts setGateMode: ledger.append': 'not killed',
  'gate/set-mode.ts setGateMode: store.setMode': 'again',
  'gate/set-mode.ts setGateSwitch: store.setSwitch': 'again',
  'gate/set-mode.ts record: ledger.append': 'not killed',
  'gate/settle-stop.ts settleStop: writer.hold': 'lock',
  'gate/settle-stop.ts keep: ledger.append': 'stop/recorded',
  'gate/settle-stop.ts keep: store.save': 'stop/saved',
  'gate/settle-stop.ts heal: store.syncOwners': 'again',
  'gate/start-gate.ts withdraw: store.save': 'before the record',
  'gate/start-gate.ts withdraw: ledger.append': 'not killed',
  'gate/start-gate.ts begin: store.save': 'before the record',
  'gate/start-gate.ts begin: ledger.append': 'not killed',
  'gate/start-gate.ts expireOld: store.save': 'again',
  'gate/start-gate.ts expireOld: ledger.append': 'not killed',
  'gate/stop-gate.ts settleLater: later.take': 'stop/removed',
  'gate/stop-gate.ts letGo: later.add': 'again',
  'gate/write.ts write: writer.hold': 'lock',
  'layouts/keep-layouts.ts keep: layouts.keep': 'again',
  'layouts/keep-layouts.ts dropLayouts: layouts.drop': 'leftover',
  'layouts/keep-layouts.ts rememberMissing: ledger.append': 'again',
};
