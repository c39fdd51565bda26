/**
 * The proof that every act in src demands, by the place where it stands: `file function: act`. `scripts/acts.ts` finds the
 * places and fails while one of them is missing here, or one that is here is gone.
 */
export const ACTS: Readonly<Record<string, string>> = {
  'src/adapters/programs/run-program.ts follow: child.kill':
    'a child that this process started, over its time or its output, or no longer wanted; only a client or an asker is run without a group of its own',
  'src/adapters/files/lock-file.ts takeTurn: removeQuietly':
    'its own lock file, while it holds the lock; who has opened it meanwhile finds that it is another one, and asks again',
  'src/adapters/files/replace-file.ts replaceFile: renameSync':
    'the file that its caller names: each of them is on this list',
  'src/adapters/files/replace-file.ts replaceFile: removeQuietly':
    'its own temporary file, made with O_EXCL by this very call',
  'src/adapters/files/replace-file.ts removeIfOld: removeQuietly':
    'a temporary file of a writer that is gone, more than an hour old',
  'src/adapters/files/replace-file.ts writeNewFile: removeQuietly':
    'the file that this very call made with O_EXCL and could not complete',
  'src/adapters/files/replace-file.ts removeQuietly: unlinkSync':
    'the file that its caller names: each of them is on this list',
  'src/adapters/archive/conversations/room.ts noteRemoved: replaceFile':
    'the note on a removed copy, of that very name',
  'src/adapters/archive/write-folder.ts writeInto: replaceFile':
    'its own new file, complete and on the disk; the name is free, and whoever closes the session alone writes there',
  'src/adapters/gate/contract-files.ts write: replaceFile':
    'a file of rollcall’s own, in its state folder (0700, own user, no link)',
  'src/adapters/gate/contract-files.ts prune: removeQuietly':
    'a contract that has ended, the oldest beyond the number that is kept; the ledger has it',
  'src/adapters/gate/gate-store.ts writeOwners: replaceFile':
    'a file of rollcall’s own, in its state folder (0700, own user, no link)',
  'src/adapters/gate/later-stops.ts add: replaceFile':
    'a file of rollcall’s own, in its state folder (0700, own user, no link)',
  'src/adapters/gate/later-stops.ts take: removeQuietly': 'a stop that was let go and is looked at now',
  'src/adapters/gate/later-stops.ts forget: removeQuietly': 'a stop that nobody came back for within an hour',
  'src/adapters/gate/mode-files.ts writeMode: replaceFile':
    'a file of rollcall’s own, in its state folder (0700, own user, no link)',
  'src/adapters/gate/mode-files.ts writeSwitch: replaceFile':
    'a file of rollcall’s own, in its state folder (0700, own user, no link)',
  'src/adapters/guard/sentinel-file.ts writeSentinel: replaceFile':
    'the file that the caller named as its sentinel',
  'src/adapters/history/history-writer.ts pack: replaceFile': 'a packed copy of its own segment, complete',
  'src/adapters/history/history-writer.ts pack: removeQuietly':
    'the segment whose packed copy has its name by now',
  'src/adapters/history/history-writer.ts tidy: removeQuietly':
    'the packed copy of a segment that went while it was packed',
  'src/adapters/history/history-writer.ts makeRoom: removeQuietly':
    'a segment of the history over its bounds; never the ledger, never an archive',
  'src/adapters/history/segments.ts removeHalves: removeQuietly':
    'half of a segment, left by a writer that was killed, or one that is there packed too',
  'src/adapters/layouts/layouts-folder.ts keep: replaceFile':
    'a file of rollcall’s own, in its state folder (0700, own user, no link)',
  'src/adapters/lock/lock-file.ts writeHolder: ftruncateSync':
    'the note in a lock file, by whoever holds the kernel’s lock on it',
  'src/adapters/programs/end-group.ts isRunning: process.kill 0': 'signal 0: asks, changes nothing',
  'src/adapters/reaper/budget-file.ts createBudgetFile: replaceFile':
    'a file of rollcall’s own, in its state folder (0700, own user, no link)',
  'src/adapters/reaper/mode-file.ts createModeFile: replaceFile':
    'a file of rollcall’s own, in its state folder (0700, own user, no link)',
  'src/adapters/spool/memory-file.ts save: replaceFile':
    'a file of rollcall’s own, in its state folder (0700, own user, no link)',
  'src/adapters/starts/starts-folder.ts keep: replaceFile':
    'a file of rollcall’s own, in its state folder (0700, own user, no link)',
  'src/adapters/state/json-file.ts keepAside: renameSync': 'keeps a damaged file under another name',
  'src/adapters/state/json-file.ts save: replaceFile':
    'a file of rollcall’s own, in its state folder (0700, own user, no link)',
  'src/adapters/store-sqlite/anchor-file.ts createAnchor: removeQuietly':
    'its own temporary file, made with O_EXCL by this process',
  'src/adapters/store-sqlite/anchor-file.ts replaceAnchor: replaceFile':
    'the anchor of the ledger, by whoever holds the database’s lock',
  'src/adapters/store-sqlite/witness.ts replaceWitness: replaceFile':
    'the witness of the ledger, by whoever holds the database’s lock',
  'src/adapters/archive/write-folder.ts writeFolder: renameSync':
    'its own new folder, complete and on the disk; the name is a new receipt’s',
  'src/adapters/archive/write-folder.ts writeFolder: rmSync':
    'only what this call made and could not complete',
  'src/adapters/archive/write-folder.ts writeInto: rmSync': 'only what this call made and could not complete',
  'src/adapters/archive/write-folder.ts removeLeftovers: rmSync':
    'a half-written folder or file under a name of its own, too old for its writer to be at work',
  'src/adapters/archive/conversations/conversations-folder.ts write: renameSync':
    'its own new folder, complete and on the disk; the name is a new receipt’s',
  'src/adapters/archive/conversations/conversations-folder.ts write: rmSync':
    'only what this call made and could not complete',
  'src/adapters/archive/conversations/copy-file.ts copyFile: rm':
    'its own half copy of a file that was written meanwhile',
  'src/adapters/archive/conversations/put-back.ts putFileBack: rm':
    'its own temporary file, under a name that only it uses; the file gets its place by a link, which replaces nothing',
  'src/adapters/archive/conversations/room.ts noteRemoved: rmSync':
    'the oldest notes on removed copies, beyond the number that is kept',
  'src/adapters/archive/conversations/room.ts remove: renameSync':
    'a copy over the bound, by the order that is told: first what something else has too; a note of it is on the disk',
  'src/adapters/archive/conversations/room.ts finishRemovals: rmSync':
    'what was renamed to be removed, by this call or one that was killed',
  'src/adapters/daemon/log-file.ts createLogFile: renameSync': 'the daemon’s own log, over its size',
  'src/adapters/daemon/tmux-hooks.ts createTmuxHooks: tmux set-hook':
    'opt-in; only a free hook at an index of its own; only hooks that hold its token are taken back',
  'src/adapters/daemon/tmux-hooks.ts touchCommand: tmux run-shell':
    'the text of its hook: touches a file of its own',
  'src/adapters/doctor/own-folder.ts remove: unlinkSync':
    'inside the state folder, a plain file of the user, the same inode, size and time as the finding',
  'src/adapters/files/aside.ts moveAside: renameSync':
    'gives a file that was taken out of its place, or left by a killed call, a name in the folder of backups that is free',
  'src/adapters/files/aside.ts moveAside: unlinkSync':
    'the same file on another disk, once its copy is complete and on the disk',
  'src/adapters/files/exchange.ts exchange: renameSync':
    'where files cannot be swapped: a file that was shown and agreed to, compared directly before; a second name keeps the old one',
  'src/adapters/files/exchange.ts exchange: unlinkSync': 'the second name that this very call gave to a file',
  'src/adapters/files/new-user-file.ts writeNew: unlinkSync':
    'the file that this very call made with O_EXCL and could not complete',
  'src/adapters/files/replace-user-file.ts takeAway: renameSync':
    'a file that only rollcall’s own entries were in, or one that is kept as a backup, after a diff and `--yes`; what was changed meanwhile is put back',
  'src/adapters/folders/link.ts end: child.kill':
    'the folder host that this process started, by its handle: one that has ended is not signalled',
  'src/adapters/folders/serve.ts ownParent: own.kill':
    'itself, a folder host whose parent is gone: a thread that a mount holds would keep it from ending otherwise',
  'src/adapters/files/taken-file.ts putBack: removeQuietly':
    'its own file, taken out again untouched; a second name of a file that is back in its place; or a text whose change is in that place',
  'src/adapters/files/replace-user-file.ts putInPlace: removeQuietly':
    'its own new file: one that could not take its place, or its second name once it has',
  'src/adapters/files/replace-user-file.ts replaceUserFile: removeQuietly':
    'the old file, once nobody has it open and it is what was read',
  'src/adapters/files/replace-user-file.ts removeUserFile: removeQuietly':
    'the file that was taken out, once nobody has it open and it is what was read',
  'src/adapters/hook-config/apply.ts recover: removeQuietly':
    'what a killed call left: a text of rollcall’s own, or one more name of a file that has another',
  'src/adapters/hook-config/carry-out.ts letGo: removeQuietly':
    'a file with nothing of the user’s in it, once nobody has it open and it is what was read',
  'src/adapters/hook-config/carry-out.ts writeRecords: removeQuietly':
    'rollcall’s own old records, once the new ones have their place',
  'src/adapters/gate/mode-files.ts writeMode: renameSync': 'puts a damaged file aside and keeps it',
  'src/adapters/gate/passed-file.ts empty: renameSync':
    'its own count of stops; what a hook adds meanwhile is appended again',
  'src/adapters/gate/passed-file.ts empty: unlinkSync': 'the part that was read and recorded',
  'src/adapters/gate/mode-files.ts writeSwitch: unlinkSync':
    'the switch that `gate off --now` made, on `gate on`',
  'src/adapters/guard/process-pulse.ts read: globalThis.process.kill 0': 'signal 0: asks, changes nothing',
  'src/adapters/git/seal.ts remove: unlink':
    'the links and the config that this very look put into its own new folder, by their names',
  'src/adapters/git/seal.ts remove: rmdir': 'the folder that this very look made, once it is empty',
  'src/adapters/hook-config/backups.ts keepBackup: removeQuietly':
    'in its own folder, a regular file whose name has exactly the form of rollcall’s backups; never the first, never the last few',
  'src/adapters/hook-config/carry-out.ts removeEmptyFolders: rmdirSync':
    'folders that rollcall made and that are empty; the kernel refuses others',
  'src/adapters/hook-config/opencode-plugin-gate.ts pluginGate: text: unlinkSync':
    'the stop that this plugin wrote itself',
  'src/adapters/hook-config/opencode-plugin-gate.ts pluginGate: text: process.kill':
    'the group of a child that this plugin started and that has not ended',
  'src/adapters/lock/run-under-lock.ts runUnderLock: child.kill':
    'passes on to its own child the signal that the user sent',
  'src/adapters/lock/run-under-lock.ts stopWithRunner: process.kill':
    'stops itself when its child was stopped',
  'src/adapters/native/swap-files.ts swapFiles: swapSync':
    'two files change places and both stay; only for replace-user-file.ts, which compares before and after',
  'src/adapters/proc/end-started.ts createEndStarted: actuator.signal':
    'carries the mark that rollcall gave to one program that is over now; no server, no terminal, no window that keeps or may keep one, no other pane, nothing above, below or beside one; the start mark is compared again',
  'src/adapters/proc/process-actuator.ts send: process.kill':
    'pid over 1, the same start mark at the last moment, not rollcall or anything above it; who may be signalled is decided by the callers of `signal`',
  'src/adapters/programs/end-group.ts endGroup: process.kill':
    'the group of a child that this process started; once it was reaped, only while nobody has its number',
  'src/adapters/spool/memory-file.ts putAside: renameSync': 'keeps a damaged memory under another name',
  'src/adapters/spool/spool-folder.ts remove: unlinkSync':
    'an event that was taken in, under the spool’s lock',
  'src/adapters/stage/cast.ts AGENT_SCRIPT: text: mv': 'the demo’s own status file',
  'src/adapters/stage/demo-stage.ts open: tmux set-option':
    'the demo’s own server, whose socket nobody listened on',
  'src/adapters/stage/demo-stage.ts start: tmux new-session': 'the demo’s own server',
  'src/adapters/stage/demo-stage.ts start: tmux set-option': 'the session that was just made there',
  'src/adapters/stage/demo-stage.ts untilEnded: tmux run-shell': 'the demo’s own server',
  'src/adapters/stage/demo-stage.ts close: tmux if-shell': 'compares before it acts',
  'src/adapters/stage/demo-stage.ts close: tmux kill-session':
    'a session of the demo’s own mark with the one pane it began with, compared in the same command',
  'src/adapters/stage/demo-stage.ts close: rmSync':
    'the demo’s own folder and a socket that nobody listens on',
  'src/adapters/store-sqlite/repair.ts repaired: renameSync':
    'a new file beside the damaged ledger, which stays',
  'src/adapters/store-sqlite/repair.ts carryOver: rmSync': 'a half-written copy of an earlier repair',
  'src/adapters/ends/ends-folder.ts drop: rmSync':
    'the record of one end, once the ledger has all of it or its session has a receipt',
  'src/adapters/starts/starts-folder.ts drop: rmSync':
    'how one run was started, once an archive has it, nothing came of it, or no session of it was known for a day',
  'src/adapters/layouts/layouts-folder.ts drop: rmSync':
    'how one session was last seen, once it has a receipt, its successor was seen, or it is long gone',
  'src/adapters/tmux/act/act-if.ts conditional: tmux if-shell':
    'compares every fact that the act names before it acts, in one command',
  'src/adapters/tmux/act/end-hook.ts freeEndCommands: tmux set-hook':
    'takes off the hook of a pane that was to sleep; the whole list only where nothing else is in it',
  'src/adapters/tmux/act/end-hook.ts freeEndCommands: tmux set-option':
    'the option of a pane that was to sleep, as its user had it',
  'src/adapters/tmux/act/end-hook.ts freeEndCommands: tmux if-shell':
    'asks whether another hook is in the list by now',
  'src/adapters/tmux/act/end-hook.ts onlyIf: tmux if-shell':
    'takes off or replaces only what is still as rollcall wrote it',
  'src/adapters/tmux/act/end-hook.ts endHookCommands: tmux run-shell':
    'writes one file into rollcall’s own folder once the program of the very pane has ended',
  'src/adapters/tmux/act/end-hook.ts endHookCommands: tmux set-hook': 'a pane that this process just made',
  'src/adapters/tmux/act/end-hook.ts endHookCommands: tmux set-option': 'a pane that this process just made',
  'src/adapters/tmux/act/end-hook.ts heldEndCommands: tmux set-option':
    'the very pane whose agent is put to sleep, or that this process just made; tmux compares it in the same command',
  'src/adapters/tmux/act/end-hook.ts heldEndCommands: tmux set-hook':
    'a hook of that very pane that does nothing: it hides the user’s until another program is there',
  'src/adapters/tmux/act/end-hook.ts hookScript: text: mv':
    'its own new file, complete and on the disk; the name is its run’s',
  'src/adapters/tmux/act/end-hook.ts hookScript: text: rm':
    'only what this script wrote and could not complete',
  'src/adapters/tmux/act/end-hook.ts afterwards: tmux set-hook':
    'takes its own hook off the dead pane, and runs the user’s, which it had hidden',
  'src/adapters/tmux/act/end-hook.ts afterwards: tmux set-option': 'takes its own option off the dead pane',
  'src/adapters/tmux/act/end-hook.ts afterwards: tmux if-shell':
    'removes the pane only where the user’s own settings would have',
  'src/adapters/tmux/act/end-hook.ts afterwards: tmux kill-pane':
    'its program has ended, how is on the disk, and tmux found it dead with the same process in the same command',
  'src/adapters/tmux/act/history.ts capture: tmux if-shell': 'chooses what is captured; changes nothing',
  'src/adapters/tmux/act/keys.ts sendKeys: tmux send-keys':
    'tmux finds every fact of the caller’s condition true in the same command',
  'src/adapters/tmux/act/act-if.ts FROM_INPUT: tmux source-file':
    'the same comparison and act, read from the client’s input',
  'src/adapters/tmux/act/start-in-pane.ts startInPane: tmux respawn-pane':
    'a pane that whoever asks has proven may be taken; tmux compares its process in the same command',
  'src/adapters/tmux/act/start-in-pane.ts settingCommands: tmux set-option':
    'the pane in which it just started something',
  'src/adapters/tmux/act/lay-out.ts begin: tmux set-option':
    'an option of its own on a session that rollcall made, by its ids',
  'src/adapters/tmux/act/lay-out.ts layOutCommands: tmux select-window':
    'a session that this process just made, by its ids',
  'src/adapters/tmux/act/lay-out.ts windowCommands: tmux new-window':
    'a session that this process just made, by its ids',
  'src/adapters/tmux/act/lay-out.ts windowCommands: tmux rename-window':
    'a session that this process just made, by its ids',
  'src/adapters/tmux/act/lay-out.ts windowCommands: tmux split-window':
    'a session that this process just made, by its ids',
  'src/adapters/tmux/act/lay-out.ts windowCommands: tmux select-layout':
    'a session that this process just made, by its ids',
  'src/adapters/tmux/act/lay-out.ts windowCommands: tmux select-pane':
    'a session that this process just made, by its ids',
  'src/adapters/tmux/act/lay-out.ts moveTo: tmux move-window':
    'a session that this process just made, by its ids',
  'src/adapters/tmux/act/on-attach.ts enterOnAttach: tmux set-hook':
    'a hook of the very session in which a sleeper waits, at a place of rollcall’s own',
  'src/adapters/tmux/act/on-attach.ts offCommands: tmux set-hook':
    'takes that hook off; the whole list only where nothing else is in it',
  'src/adapters/tmux/act/on-attach.ts pressing: tmux if-shell':
    'asks whether the pane still has the process of the sleeper, alone',
  'src/adapters/tmux/act/on-attach.ts pressing: tmux send-keys':
    'Enter to the sleeper: tmux compares its process in the same command',
  'src/adapters/tmux/act/own-marks.ts letGo: tmux if-shell':
    'takes nothing back where a hook of its own needs the option',
  'src/adapters/tmux/act/own-marks.ts letGo: tmux set-option': 'takes back its own option on the very pane',
  'src/adapters/tmux/act/own-marks.ts markHeld: tmux set-option':
    'a user option of rollcall’s own on the very session',
  'src/adapters/tmux/act/own-marks.ts wakeServer: tmux run-shell':
    'runs `true`, so that tmux asks for ended children; the very session',
  'src/adapters/tmux/act/tmux-actuator.ts removeSession: tmux kill-session':
    'tmux finds every fact of the caller’s condition true in the same command',
  'src/adapters/tmux/act/signal-if.ts signalIf: tmux run-shell':
    'the same; its shell compares the start mark of each process and sends nothing to another one',
  'src/adapters/tmux/act/own-marks.ts stampCommands: tmux set-option':
    'user options of rollcall’s own on the very pane',
  'src/adapters/tmux/act/start-session.ts FROM_INPUT: tmux source-file':
    'the commands that start one new session, over the client’s own input: each word is quoted byte by byte',
  'src/adapters/tmux/act/start-session.ts startCommands: tmux new-session': 'a new session',
  'src/adapters/tmux/act/start-session.ts startCommands: tmux if-shell':
    'sets options only on the session that bears the run’s word',
  'src/adapters/tmux/act/start-session.ts settingCommands: tmux set-option':
    'options of the new session and its pane',
  'src/adapters/tmux/act/server-mark.ts markCommands: tmux run-shell':
    'writes when its own server began into rollcall’s own folder',
  'src/adapters/tmux/act/server-mark.ts nudge: tmux run-shell':
    'runs `true`, so that tmux notices which of its programs have ended',
  'src/adapters/tmux/act/server-mark.ts takeMark: rmSync': 'that file, once it was read',
  'src/compose/daemon/control.ts askToStop: process.kill':
    'the process that holds the daemon’s lock at this moment; the kernel says so',
  'src/adapters/tmux/tmux-sensor.ts wake: tmux run-shell':
    'runs `true`, so that tmux asks for ended children; only where it shows a dead pane of a session that rollcall started',
  'src/compose/daemon/control.ts remove: removeQuietly': 'the daemon’s own notes, by the daemon itself',
  'src/compose/gate/stop-parts.ts stopPartsOf: unlinkSync': 'the stop that was answered',
  'src/engine/act/close/ask.ts askToLeave: hands.tmux.type':
    'the agent’s own word and screen say: ready, empty input; nothing of the condition changed since that look',
  'src/engine/act/close/ask.ts enter: hands.tmux.press':
    'the command stands alone in the input, the agent’s process lives, nobody holds the session, and tmux finds the pane as it stood',
  'src/engine/act/close/ask.ts takenBack: hands.tmux.press':
    'as many backspaces as characters were typed by this close, in one command, while nothing moved',
  'src/engine/act/close/processes.ts signalAll: hands.processes.signal':
    'processes that are the session’s own, seen before the first rung; the start mark is compared again',
  'src/engine/act/close/processes.ts signalIf: tmux.signal':
    'processes that are the session’s own, seen before the first rung; tmux finds all of it as it stood, in one step with the signal',
  'src/engine/act/close/remove-rung.ts remove: hands.tmux.removeSession':
    'every pane is dead or a shell proven to be at its prompt (forced: listed before); nobody holds it by the ledger’s word at that moment; tmux finds all of it as it stood',
  'src/engine/act/declare-standing.ts stampPane: hands.tmux.stamp': 'the very pane that was adopted',
  'src/engine/act/recover-run.ts recoverRun: hands.tmux.letGo': 'the pane that a run of rollcall’s made',
  'src/engine/act/recover-run.ts layOutRest: hands.tmux.layOut':
    'the session that a reopen which was stopped has made, with its first pane alone',
  'src/engine/act/reopen/bring-back.ts layOut: hands.tmux.layOut': 'the session that this reopen made',
  'src/engine/act/start-in.ts startSession: hands.tmux.startSession': 'a new session; its name is free',
  'src/engine/act/run-see.ts settleBirth: hands.tmux.letGo': 'the pane that this run or reopen made',
  'src/hook/hook-script.ts hookScript: text: rm': 'the event that this very hook could not complete',
  'src/hook/stop-functions.ts STOP_FUNCTIONS: text: kill': 'the child that this very hook just started',
  'src/hook/stop-functions.ts STOP_FUNCTIONS: text: mv':
    'moves an event of its own, or of a hook that is gone, into the spool',
  'src/hook/stop-functions.ts STOP_FUNCTIONS: text: rm':
    'its own reply, or a half-written one of a hook that is gone',
  'src/server/socket-file.ts listenOnSocket: renameSync':
    'its own socket, bound in a folder of its own, over a socket that nobody listens on',
  'src/server/socket-file.ts listenOnSocket: rmSync': 'the folder that it made for that',
  'src/server/socket-file.ts removeOwn: rmSync': 'the socket with the inode that it bound itself',
  'src/server/token.ts make: renameSync':
    'the token of an earlier start, in the state folder, a plain file of the user that holds a token',
  'src/server/token.ts make: rmSync': 'its own temporary file, made with O_EXCL by this process',
};
