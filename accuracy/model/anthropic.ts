import type { Turn } from './conversation.ts';
import { whereItStands } from './conversation.ts';
import type { Body, Dialect, Speaker, StreamEvent } from './dialect.ts';

const USAGE = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/** Anthropic's Messages API. */
export const anthropic: Dialect = {
  name: 'anthropic',
  matches: (path) => path.endsWith('/messages'),
  read: (body) => ({
    ...whereItStands((body.messages ?? []).flatMap(turnsOf)),
    tools: (body.tools ?? []).map((tool: Body) => String(tool.name)),
    model: String(body.model),
    isStreaming: body.stream === true,
    schema: body.output_config?.format?.schema ?? body.output_format?.schema ?? null,
  }),
  speaker,
  whole: (body, id, text) => ({
    ...message(body, id),
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
  }),
  failure: (status) => ({
    status,
    body: {
      type: 'error',
      error: {
        type: status === 529 ? 'overloaded_error' : 'invalid_request_error',
        message: 'The script says so.',
      },
    },
  }),
};

function turnsOf(message: Body): Turn[] {
  if (message.role !== 'user') return [];
  const blocks =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  return (blocks ?? []).flatMap((block: Body): Turn[] => {
    if (block.type === 'tool_result') return [{ kind: 'result' }];
    return block.type === 'text' ? [{ kind: 'prompt', text: String(block.text) }] : [];
  });
}

function message(body: Body, id: number) {
  const head = { id: `msg_${id}`, type: 'message', role: 'assistant', model: body.model };
  return {
    ...head,
    content: [] as unknown[],
    stop_reason: null as string | null,
    stop_sequence: null,
    usage: USAGE,
  };
}

function speaker(body: Body, id: number): Speaker {
  let index = -1;
  let open: 'text' | 'thinking' | null = null;
  let hasCalled = false;
  const event = (type: string, more: object): StreamEvent => ({ name: type, data: { type, ...more } });
  const delta = (change: object) => event('content_block_delta', { index, delta: change });
  const start = (content_block: object) => {
    index += 1;
    return event('content_block_start', { index, content_block });
  };
  const shut = (): StreamEvent[] => {
    if (!open) return [];
    const signature = open === 'thinking' ? [delta({ type: 'signature_delta', signature: 'c2NyaXB0' })] : [];
    open = null;
    return [...signature, event('content_block_stop', { index })];
  };
  const ensure = (kind: 'text' | 'thinking'): StreamEvent[] => {
    if (open === kind) return [];
    const before = shut();
    open = kind;
    const block =
      kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' };
    return [...before, start(block)];
  };
  return {
    open: () => [event('message_start', { message: message(body, id) })],
    take(step) {
      if (step.kind === 'say') return [...ensure('text'), delta({ type: 'text_delta', text: step.text })];
      if (step.kind === 'think')
        return [...ensure('thinking'), delta({ type: 'thinking_delta', thinking: step.text })];
      hasCalled = true;
      const block = { type: 'tool_use', id: `toolu_${id}`, name: step.call.name, input: {} };
      return [
        ...shut(),
        start(block),
        delta({ type: 'input_json_delta', partial_json: JSON.stringify(step.call.input) }),
        event('content_block_stop', { index }),
      ];
    },
    close: () => [
      ...shut(),
      event('message_delta', {
        delta: { stop_reason: hasCalled ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 20 },
      }),
      event('message_stop', {}),
    ],
  };
}
