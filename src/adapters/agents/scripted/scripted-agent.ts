import { lstatSync } from 'node:fs';
import type { AgentSign } from '../../../core/agent/sign.ts';
import { WAITING_FOR, type WaitingFor } from '../../../core/verdict/verdict.ts';
import type { AgentAdapter, AgentReading, AgentScene } from '../../../ports/agent.ts';
import { textAt } from '../../files/look.ts';

const WRITABLE_BY_OTHERS = 0o022;
const SILENT: AgentReading = { signs: [], gaps: [], failures: [] };

/**
 * The agent of `rollcall demo`: a script that plays an agent and keeps its word in a status file, as real agents do.
 * The file names the process that wrote it, so that one left behind by another process is not believed. Only the script at
 * exactly this path is one: a name proves nothing, and whatever it says would be believed.
 */
export function scriptedAgent(script: string): AgentAdapter {
  return {
    kind: 'scripted',
    recognises: (argv) => argv.slice(0, 2).includes(script) && isOwnFile(script),
    listen: hear,
    exit: { command: '/exit', signal: 'process' },
    // Its command line names its conversation, and nothing of it is sent.
    resume: (_, startedAs) => (startedAs === undefined ? null : { argv: startedAs.argv, dropped: [] }),
  };
}

// Asked at every look: what was the user's own may have been replaced.
function isOwnFile(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.uid === process.getuid?.() && (stat.mode & WRITABLE_BY_OTHERS) === 0;
}

function hear({ agent, now }: AgentScene): AgentReading {
  const words =
    textAt(agent.argv.at(-1) ?? '')
      ?.trim()
      .split(/\s+/) ?? [];
  const [pid, says, detail, conversation = `demo-${agent.pid}`] = words;
  const turn = says === 'idle' ? 'over' : 'running';
  if (Number(pid) !== agent.pid || !(says === 'idle' || says === 'working' || says === 'waiting')) {
    return SILENT;
  }
  const sign: AgentSign = {
    source: 'agent',
    observedAt: now,
    isLive: true,
    turn,
    waitingFor: says === 'waiting' && isWaitingFor(detail) ? detail : null,
    background: detail === 'background' ? 1 : 0,
    hasDraft: detail === 'draft',
    isReady: says === 'idle',
    isVerified: true,
    text: detail === undefined || detail === 'none' ? says : `${says} (${detail})`,
  };
  return { ...SILENT, signs: [sign], conversation, resume: agent.argv };
}

function isWaitingFor(word: string | undefined): word is WaitingFor {
  return WAITING_FOR.includes(word as WaitingFor);
}
