/** What the functions of each port of the engine leave behind when rollcall is killed after them; all others only look. */
const LASTING: Readonly<Record<string, string>> = {
  ledger: 'append',
  tmux: 'startSession startInPane enterOnAttach setEnd stamp letGo markHeld type press layOut removeSession signal',
  processes: 'signal',
  archive: 'write add',
  conversations: 'keep putBack',
  starts: 'keep drop',
  ends: 'drop',
  layouts: 'keep drop',
  store: 'save setMode setSwitch syncOwners emptyPassed',
  later: 'add take forget',
  files: 'mend',
  locks: 'tryLock waitForLock',
  writer: 'hold',
};

/** Whether a function of a port does something that lasts. */
export function isLasting(port: string, method: string): boolean {
  return Object.hasOwn(LASTING, port) && LASTING[port]?.split(' ').includes(method) === true;
}
