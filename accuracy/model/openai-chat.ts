import type { Turn } from './conversation.ts';
import { whereItStands } from './conversation.ts';
import type { Body, Dialect, Speaker, StreamEvent } from './dialect.ts';

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

/** OpenAI's Chat Completions API. */
export const openaiChat: Dialect = {
  name: 'chat',
  ending: 'data: [DONE]\n\n',
  matches: (path) => path.endsWith('/chat/completions'),
  read: (body) => ({
    ...whereItStands((body.messages ?? []).flatMap(turnsOf)),
    tools: (body.tools ?? []).map((tool: Body) => String(tool.function?.name)),
    model: String(body.model),
    isStreaming: body.stream === true,
    schema: body.response_format?.json_schema?.schema ?? null,
  }),
  speaker,
  whole: (body, id, text) => ({
    ...head(body, id, 'chat.completion'),
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: USAGE,
  }),
  failure: (status) => ({
    status,
    body: { error: { type: 'invalid_request_error', code: 'scripted', message: 'The script says so.' } },
  }),
};

function turnsOf(message: Body): Turn[] {
  if (message.role === 'tool') return [{ kind: 'result' }];
  if (message.role !== 'user') return [];
  const text =
    typeof message.content === 'string'
      ? message.content
      : (message.content ?? []).map((part: Body) => part.text ?? '').join('\n');
  return [{ kind: 'prompt', text }];
}

function head(body: Body, id: number, object: string) {
  return { id: `chat_${id}`, object, created: Math.floor(Date.now() / 1000), model: body.model };
}

function speaker(body: Body, id: number): Speaker {
  let hasCalled = false;
  const chunk = (delta: object, finish_reason: string | null = null): StreamEvent => ({
    data: { ...head(body, id, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason }] },
  });
  return {
    open: () => [chunk({ role: 'assistant', content: '' })],
    take(step) {
      if (step.kind === 'say') return [chunk({ content: step.text })];
      if (step.kind === 'think') return [chunk({ reasoning_content: step.text })];
      hasCalled = true;
      const fn = { name: step.call.name, arguments: JSON.stringify(step.call.input) };
      return [chunk({ tool_calls: [{ index: 0, id: `call_${id}`, type: 'function', function: fn }] })];
    },
    close: () => [
      chunk({}, hasCalled ? 'tool_calls' : 'stop'),
      { data: { ...head(body, id, 'chat.completion.chunk'), choices: [], usage: USAGE } },
    ],
  };
}
