import type { HookSender } from '../../core/agent/hook-memory.ts';

/** What the hook wrote above the payload. */
export interface EventHeader {
  readonly agentKind: string;
  readonly event: string;
  readonly sender: HookSender;
  /** From the hook's environment, for a payload that does not tell. */
  readonly conversation: string | null;
}

// Environments are inherited: an agent that another one started carries the other's variables. Only those that an agent
// sets anew for each of its hooks speak of itself; Codex sets none.
const OWN_PID: ReadonlyMap<string, string> = new Map([['claude', 'CLAUDE_PID']]);
const OWN_CONVERSATION: ReadonlyMap<string, string> = new Map([
  ['claude', 'CLAUDE_CODE_SESSION_ID'],
  ['gemini', 'GEMINI_SESSION_ID'],
]);

const WORD = /^[A-Za-z0-9._-]{1,64}$/;
const ID = /^[\x21-\x7e]{1,200}$/;
const PANE = /^%\d{1,10}$/;

/** Reads the header's lines; null when they are not those of a hook. */
export function readHeader(text: string): EventHeader | null {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const equals = line.indexOf('=');
    if (equals > 0) fields.set(line.slice(0, equals), line.slice(equals + 1));
  }
  const [agentKind, event] = [fields.get('agent') ?? '', fields.get('event') ?? ''];
  const parentPid = pidIn(fields.get('parent_pid'));
  if (fields.get('rollcall-hook') !== '1' || parentPid === undefined) return null;
  if (!WORD.test(agentKind) || !WORD.test(event)) return null;
  const conversation = fields.get(OWN_CONVERSATION.get(agentKind) ?? '') ?? '';
  return {
    agentKind,
    event,
    sender: senderOf(fields, agentKind, parentPid),
    conversation: ID.test(conversation) ? conversation : null,
  };
}

function senderOf(fields: ReadonlyMap<string, string>, agentKind: string, parentPid: number): HookSender {
  // An agent that writes its events itself says so.
  const agentPid = pidIn(fields.get(OWN_PID.get(agentKind) ?? 'agent_pid'));
  const paneId = fields.get('TMUX_PANE') ?? '';
  return {
    parentPid,
    ...(agentPid !== undefined && { agentPid }),
    ...tmuxIn(fields.get('TMUX') ?? ''),
    ...(PANE.test(paneId) && { paneId }),
  };
}

// `<socket>,<pid of the server>,<session>`, where the socket's path may have commas of its own.
function tmuxIn(value: string): Pick<HookSender, 'tmuxSocket' | 'tmuxServerPid'> {
  const match = /^(\/.{1,4095}),(\d{1,10}),\d{1,10}$/.exec(value);
  const tmuxServerPid = pidIn(match?.[2]);
  return match?.[1] === undefined || tmuxServerPid === undefined
    ? {}
    : { tmuxSocket: match[1], tmuxServerPid };
}

function pidIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}
