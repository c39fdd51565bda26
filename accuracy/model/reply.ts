import type { Conversation } from './conversation.ts';
import { fillSchema, nameFor } from './conversation.ts';
import type { Order } from './order.ts';
import { promptFor } from './order.ts';
import type { ToolCall } from './tools.ts';
import { delegateCall, planCall, questionCall, shellCall } from './tools.ts';

/** One thing that the model does while it answers. */
export type Step =
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'think'; readonly text: string }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ToolCall };

/** How the model answers a request. */
export type Reply =
  | { readonly kind: 'speak'; readonly steps: readonly Step[]; readonly role: 'turn' | 'side' }
  | { readonly kind: 'fail'; readonly status: number };

/** Words that agents show in dialogs and at their prompt, as somebody may quote them in prose. */
export const QUOTED_DIALOG = [
  'The program printed this, and then it went on by itself:',
  'Do you want to proceed?',
  '❯ 1. Yes',
  '  2. No, and tell it what to do differently (esc)',
  'Would you like to run the following command? Press enter to confirm or esc to cancel',
  'Allow execution? Waiting for user confirmation... △ Permission required',
  '• Working (3s • esc to interrupt)',
].join('\n');

export const QUOTED_PROMPT = [
  'An agent at its prompt looks like this:',
  '──────────',
  '❯ ',
  '──────────',
  '  ? for shortcuts',
  '› Ask Codex to do anything',
  ' >   Type your message or @path/to/file',
  'Ask anything…  Worked for 6s',
  '',
].join('\n');

/** Decides what the model does: a request without tools is a side request of the agent, the rest obeys the order. */
export function replyTo(conversation: Conversation, attempts: number): Reply {
  const { order, results, nudges, tools, schema } = conversation;
  if (schema) return side(fillSchema(schema, nameFor(order)));
  if (tools.length === 0) return side(nameFor(order));
  if (!order) return turn(say('There is nothing to do.'));
  if (order.verb === 'refuse') return { kind: 'fail', status: 400 };
  if (order.verb === 'overload' && attempts <= secondsOf(order)) return { kind: 'fail', status: 529 };
  // Never the same words twice: two hooks on one stop are told from two stops by them.
  if (results > 0) return turn(say(nudges > 0 ? `It is done, ${nudges}.` : 'It is done.'));
  return turn(...(nudges > 0 ? stepsAfter(order, nudges, tools) : stepsFor(order, tools)));
}

/** What it does when a gate has kept it going: a part of what is missing, or nothing but to stop once more. */
function stepsAfter({ verb, argument }: Order, nudges: number, tools: readonly string[]): Step[] {
  const [program = '', folder = '', last = ''] = argument.split(' ');
  if (verb !== 'mend') return [say(`There is nothing more to do, ${nudges}.`)];
  const file = nudges === Number(last) ? 'done.txt' : `part-${nudges}.txt`;
  return [say('I go on. '), ...called(shellCall(tools, { command: `${program} 0 ${folder}/${file}` }))];
}

function stepsFor(order: Order, tools: readonly string[]): Step[] {
  const { verb, argument, tag } = order;
  const ms = secondsOf(order) * 1000;
  switch (verb) {
    case 'stream':
      return Array.from({ length: ms / 250 }, (_, index) => [say(`word ${index} `), pause(250)]).flat();
    case 'silent':
      return [pause(ms), say('That was a long silence.')];
    case 'stall':
      return [say('This is the first half of '), pause(ms), say('the answer.')];
    case 'think':
      return [
        ...Array.from({ length: ms / 1000 }, (_, index) => [think(`Thought ${index}. `), pause(1000)]).flat(),
        say('That was well thought out.'),
      ];
    case 'quote-dialog':
      return [say(QUOTED_DIALOG)];
    case 'quote-prompt':
      return [say(QUOTED_PROMPT), pause(ms), say('That was all.')];
    case 'run':
      return [say('I run it. '), ...called(shellCall(tools, { command: argument }))];
    case 'ask':
      return [say('I ask first. '), ...called(shellCall(tools, { command: argument, mustAsk: true }))];
    case 'background':
      return [say('I start it. '), ...called(shellCall(tools, { command: argument, isBackground: true }))];
    case 'question':
      return called(questionCall(tools));
    case 'plan':
      return called(planCall(tools));
    case 'delegate':
      return called(delegateCall(tools, promptFor({ verb: 'stream', argument, tag: `${tag}-sub` })));
    default:
      return [say('It is done.')];
  }
}

const say = (text: string): Step => ({ kind: 'say', text });
const think = (text: string): Step => ({ kind: 'think', text });
const pause = (ms: number): Step => ({ kind: 'pause', ms });
const turn = (...steps: Step[]): Reply => ({ kind: 'speak', steps, role: 'turn' });
const side = (text: string): Reply => ({ kind: 'speak', steps: [say(text)], role: 'side' });

function called(call: ToolCall | null): Step[] {
  return [call ? { kind: 'call', call } : say('There is no tool for it.')];
}

function secondsOf({ argument }: Order): number {
  return Number.parseFloat(argument) || 0;
}
