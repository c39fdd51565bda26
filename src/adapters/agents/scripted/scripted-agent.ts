import { readFileSync } from 'node:fs';
import { programName } from '../../../core/program.ts';
import type { Activity, WaitingFor } from '../../../core/verdict.ts';
import { ACTIVITIES, WAITING_FOR } from '../../../core/verdict.ts';
import type { AgentAdapter, AgentProcess, AgentWord } from '../../../ports/agent.ts';

/** The name under which a scripted agent runs: `sh …/rollcall-scripted-agent STATUS-FILE`. */
export const SCRIPTED_PROGRAM = 'rollcall-scripted-agent';

/**
 * The agent of `rollcall demo`: a script that plays an agent and keeps its word in a status file, as real agents do.
 * The file names the process that wrote it, so that one left behind by another process is not believed.
 */
export function scriptedAgent(now: () => number): AgentAdapter {
  return {
    kind: 'scripted',
    recognises: (argv) => argv.slice(0, 2).some((word) => programName(word) === SCRIPTED_PROGRAM),
    listen: (process) => hear(process, now()),
  };
}

function hear(process: AgentProcess, observedAt: number): AgentWord {
  const file = process.argv.at(-1);
  let words: string[];
  try {
    words = readFileSync(file ?? '', 'utf8')
      .trim()
      .split(/\s+/);
  } catch {
    return { state: 'silent' };
  }
  const [pid, says, detail] = words;
  if (Number(pid) !== process.pid || !isActivity(says)) return { state: 'silent' };
  return {
    state: 'heard',
    observedAt,
    says,
    ...(isWaitingFor(detail) && { waitingFor: detail }),
    backgroundTasks: detail === 'background' ? 1 : 0,
    hasDraft: detail === 'draft',
    conversation: `demo-${process.pid}`,
    resume: process.argv,
  };
}

function isActivity(word: string | undefined): word is Activity {
  return ACTIVITIES.includes(word as Activity);
}

function isWaitingFor(word: string | undefined): word is WaitingFor {
  return WAITING_FOR.includes(word as WaitingFor);
}
