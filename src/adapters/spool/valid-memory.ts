import type { Heard, HookMemory, HookSender } from '../../core/agent/hook-memory.ts';
import { WAITING_FOR } from '../../core/verdict/verdict.ts';

/** Whether a value from the memory file is a memory in full. */
export function isHookMemory(value: unknown): value is HookMemory {
  if (!isRecord(value)) return false;
  const { agentKind, conversation, sender, subagents, transcript, endedAt, last } = value;
  return (
    isText(agentKind) &&
    (conversation === null || isText(conversation)) &&
    isSender(sender) &&
    isMissingOr(value.turn, isHeard(isTurn)) &&
    isMissingOr(value.beganAt, isNumber) &&
    isMissingOr(value.waitingFor, isHeard(isWaitingFor)) &&
    isMissingOr(value.background, isHeard(isCount)) &&
    Array.isArray(subagents) &&
    subagents.every(isText) &&
    isMissingOr(transcript, isText) &&
    isMissingOr(endedAt, isNumber) &&
    isRecord(last) &&
    isText(last.event) &&
    isNumber(last.at)
  );
}

type Test = (value: unknown) => boolean;

function isSender(value: unknown): value is HookSender {
  return (
    isRecord(value) &&
    isCount(value.parentPid) &&
    isMissingOr(value.agentPid, isCount) &&
    isMissingOr(value.tmuxSocket, isText) &&
    isMissingOr(value.tmuxServerPid, isCount) &&
    isMissingOr(value.paneId, isText)
  );
}

function isHeard(test: Test): (value: unknown) => value is Heard<unknown> {
  return (value): value is Heard<unknown> => isRecord(value) && test(value.value) && isNumber(value.at);
}

const isMissingOr = (value: unknown, test: Test): boolean => value === undefined || test(value);
const isText: Test = (value) => typeof value === 'string';
const isNumber: Test = (value) => Number.isFinite(value);
const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTurn: Test = (value) => value === 'running' || value === 'over';
const isWaitingFor: Test = (value) => value === null || (WAITING_FOR as readonly unknown[]).includes(value);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
