/** A machine during one boot: everything below is only comparable inside it. */
export interface HostIdentity {
  readonly machineId: string;
  readonly bootId: string;
  readonly name: string;
  /**
   * The pid namespace in which processes are seen: a container has its own, and outside of it their numbers mean nothing.
   * Absent where there is none to tell (macOS).
   */
  readonly pidNamespace?: string;
}

/** A session as it was recorded: by its key, from one pid namespace. */
export interface RecordedSession {
  readonly key: string;
  /** Absent in what earlier versions recorded. */
  readonly pidNamespace?: string;
}

/** A process during one boot: a pid alone comes back after a few seconds of forking. */
export interface ProcessMark {
  readonly pid: number;
  /** Clock ticks since boot (Linux) or epoch seconds (macOS). */
  readonly startTicks: number;
}

/**
 * A tmux server: socket, pid and the start mark of that pid. Session and pane ids restart at 0 with a new
 * server, so nothing below it is an identity on its own.
 */
export interface ServerIdentity extends ProcessMark {
  readonly socketPath: string;
  /** Kernel start mark of the server process (clock ticks since boot on Linux); 0 where it cannot be read. */
  readonly startTicks: number;
}

/** Whether the process of a server was seen. That of a server elsewhere, as in a container, never is: only its socket can be reached. */
export function isProcessSeen({ startTicks }: Pick<ServerIdentity, 'startTicks'>): boolean {
  return startTicks !== 0;
}

/** A session: its server, its `$id`, and when it was made (epoch seconds, as tmux counts). */
export interface SessionIdentity {
  readonly server: ServerIdentity;
  readonly sessionId: string;
  readonly createdAtSeconds: number;
}

/** Names a server in one URL-safe word; equal only for the same server process on the same boot. */
export function serverKey(host: HostIdentity, server: ServerIdentity): string {
  const { machine, boot } = bootWords(host);
  return `${machine}.${boot}.${server.pid}.${server.startTicks}`;
}

/** Names a session in one URL-safe word. Never derived from its name, which anyone may change. */
export function sessionKey(host: HostIdentity, session: SessionIdentity): string {
  return sessionKeyOn(serverKey(host, session.server), session);
}

/** The same, where the server's key is already known. */
export function sessionKeyOn(server: string, session: Omit<SessionIdentity, 'server'>): string {
  return `${server}.s${session.sessionId.replace('$', '')}.${session.createdAtSeconds}`;
}

/** Where a session's key was made: on this boot of this machine, on an earlier one, or on another machine. */
export function bootOf(
  key: string,
  { machineId, bootId }: Pick<HostIdentity, 'machineId' | 'bootId'>,
): 'this' | 'earlier' | 'elsewhere' {
  const [machine, boot] = key.split('.');
  const here = bootWords({ machineId, bootId });
  if (machine !== here.machine) return 'elsewhere';
  return boot === here.boot ? 'this' : 'earlier';
}

interface BootWords {
  readonly machine: string;
  readonly boot: string;
}

// Nearly always the machine that this runs on.
let last = { machineId: '', bootId: '', words: { machine: '', boot: '' } };

/** A machine and its boot, as keys name them. */
export function bootWords({ machineId, bootId }: Pick<HostIdentity, 'machineId' | 'bootId'>): BootWords {
  if (machineId !== last.machineId || bootId !== last.bootId) {
    last = { machineId, bootId, words: { machine: short(machineId), boot: short(bootId) } };
  }
  return last.words;
}

/**
 * Where a recorded session was made. What was recorded from another pid namespace is elsewhere: here nobody can see
 * whether its processes live, so that nothing may be concluded from their absence.
 */
export function whenceOf(
  { key, pidNamespace }: RecordedSession,
  host: Pick<HostIdentity, 'machineId' | 'bootId' | 'pidNamespace'>,
): 'this' | 'earlier' | 'elsewhere' {
  return pidNamespace === host.pidNamespace ? bootOf(key, host) : 'elsewhere';
}

/** The pid namespace of the system itself (Linux). It lasts for the whole boot, while a container may be started anew in another. */
const OUTERMOST = '4026531836';

/**
 * Whether a session was recorded outside of the container that this is, on the system that runs it now. Of another container
 * that cannot be told: it may be this one before it was started anew.
 */
export function isOutside(
  { key, pidNamespace }: RecordedSession,
  host: Pick<HostIdentity, 'machineId' | 'bootId' | 'pidNamespace'>,
): boolean {
  // A container may have a machine id of its own; the boot is that of the kernel.
  const isThisBoot = key.split('.')[1] === bootWords(host).boot;
  return isThisBoot && pidNamespace === OUTERMOST && host.pidNamespace !== OUTERMOST;
}

/** Names a process on one boot: a pid alone comes back after a few seconds of forking. */
export function processKey({ pid, startTicks }: ProcessMark): string {
  return `${pid}.${startTicks}`;
}

/** Whether both are the same process of one boot. */
export function isSameProcess(one: Partial<ProcessMark> | null, other: ProcessMark): boolean {
  return one?.pid === other.pid && one.startTicks === other.startTicks;
}

function short(id: string): string {
  return id.replace(/[^0-9a-zA-Z]/g, '').slice(0, 8);
}
