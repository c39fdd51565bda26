import { readFileSync } from 'node:fs';
import type { AgentSign } from '../../../core/agent/sign.ts';
import { programName } from '../../../core/program.ts';
import type { WaitingFor } from '../../../core/verdict.ts';
import { WAITING_FOR } from '../../../core/verdict.ts';
import type { AgentAdapter, AgentReading, AgentScene } from '../../../ports/agent.ts';

/** The name under which a scripted agent runs: `sh …/rollcall-scripted-agent STATUS-FILE`. */
export const SCRIPTED_PROGRAM = 'rollcall-scripted-agent';

const SILENT: AgentReading = { signs: [], gaps: [], failures: [] };

/**
 * The agent of `rollcall demo`: a script that plays an agent and keeps its word in a status file, as real agents do.
 * The file names the process that wrote it, so that one left behind by another process is not believed.
 */
export function scriptedAgent(): AgentAdapter {
  return {
    kind: 'scripted',
    recognises: (argv) => argv.slice(0, 2).some((word) => programName(word) === SCRIPTED_PROGRAM),
    listen: hear,
    exit: { command: '/exit', signal: 'process' },
  };
}

function hear({ agent, now }: AgentScene): AgentReading {
  let words: string[];
  try {
    words = readFileSync(agent.argv.at(-1) ?? '', 'utf8')
      .trim()
      .split(/\s+/);
  } catch {
    return SILENT;
  }
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
