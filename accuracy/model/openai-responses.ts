import type { Turn } from './conversation.ts';
import { whereItStands } from './conversation.ts';
import type { Body, Dialect, Speaker, StreamEvent } from './dialect.ts';

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
};

/** OpenAI's Responses API. */
export const openaiResponses: Dialect = {
  name: 'responses',
  matches: (path) => path.endsWith('/responses'),
  read: (body) => ({
    ...whereItStands((Array.isArray(body.input) ? body.input : []).flatMap(turnsOf)),
    tools: [...toolsOf(body).keys()],
    model: String(body.model),
    isStreaming: body.stream === true,
    schema: body.text?.format?.schema ?? null,
  }),
  speaker,
  whole: (body, id, text) => ({
    ...response(body, id),
    status: 'completed',
    usage: USAGE,
    output: [spoken(id, text)],
  }),
  failure: (status) => ({
    status: status === 529 ? 500 : status,
    body: { error: { type: 'invalid_request_error', code: 'scripted', message: 'The script says so.' } },
  }),
};

function turnsOf(item: Body): Turn[] {
  if (/_output$/.test(item.type ?? '')) return [{ kind: 'result' }];
  if (item.role !== 'user') return [];
  const text =
    typeof item.content === 'string'
      ? item.content
      : (item.content ?? []).map((part: Body) => part.text ?? '').join('\n');
  return [{ kind: 'prompt', text }];
}

// Some tools stand in a namespace, which the call has to name.
function toolsOf(body: Body): Map<string, string | undefined> {
  const tools = new Map<string, string | undefined>();
  for (const tool of body.tools ?? []) {
    if (tool.type === 'namespace') for (const inner of tool.tools ?? []) tools.set(inner.name, tool.name);
    else tools.set(tool.name ?? tool.type, undefined);
  }
  return tools;
}

function response(body: Body, id: number) {
  const created_at = Math.floor(Date.now() / 1000);
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at,
    model: body.model,
    status: 'in_progress',
    output: [],
  };
}

function spoken(id: number, text: string) {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content };
}

function speaker(body: Body, id: number): Speaker {
  const namespaces = toolsOf(body);
  const output: object[] = [];
  let sequence = 0;
  let open: { kind: 'say' | 'think'; text: string } | null = null;
  const event = (type: string, more: object): StreamEvent => {
    const sequence_number = sequence;
    sequence += 1;
    return { name: type, data: { type, sequence_number, ...more } };
  };
  const place = () => ({ output_index: output.length });
  const ids = { say: `msg_${id}`, think: `rs_${id}` };
  const start = (kind: 'say' | 'think'): StreamEvent[] => {
    if (open?.kind === kind) return [];
    const before = shut();
    open = { kind, text: '' };
    const item_id = ids[kind];
    if (kind === 'think') {
      const item = { type: 'reasoning', id: item_id, summary: [] };
      const part = { type: 'summary_text', text: '' };
      return [
        ...before,
        event('response.output_item.added', { ...place(), item }),
        event('response.reasoning_summary_part.added', { item_id, ...place(), summary_index: 0, part }),
      ];
    }
    const item = { type: 'message', id: item_id, role: 'assistant', status: 'in_progress', content: [] };
    const part = { type: 'output_text', text: '', annotations: [] };
    return [
      ...before,
      event('response.output_item.added', { ...place(), item }),
      event('response.content_part.added', { item_id, ...place(), content_index: 0, part }),
    ];
  };
  const shut = (): StreamEvent[] => {
    if (!open) return [];
    const { kind, text } = open;
    open = null;
    const item_id = ids[kind];
    const item =
      kind === 'say'
        ? spoken(id, text)
        : { type: 'reasoning', id: item_id, summary: [{ type: 'summary_text', text }] };
    const done =
      kind === 'say'
        ? event('response.output_text.done', { item_id, ...place(), content_index: 0, text })
        : event('response.reasoning_summary_text.done', { item_id, ...place(), summary_index: 0, text });
    const events = [done, event('response.output_item.done', { ...place(), item })];
    output.push(item);
    return events;
  };
  return {
    open: () => [event('response.created', { response: response(body, id) })],
    take(step) {
      if (step.kind === 'call') {
        const before = shut();
        const { name, input } = step.call;
        const namespace = namespaces.get(name);
        const call = {
          type: 'function_call',
          id: `fc_${id}`,
          call_id: `call_${id}`,
          ...(namespace !== undefined && { namespace }),
          name,
        };
        const item = { ...call, arguments: JSON.stringify(input), status: 'completed' };
        const events = [
          ...before,
          event('response.output_item.added', {
            ...place(),
            item: { ...call, arguments: '', status: 'in_progress' },
          }),
          event('response.output_item.done', { ...place(), item }),
        ];
        output.push(item);
        return events;
      }
      const before = start(step.kind);
      if (open) open = { ...open, text: open.text + step.text };
      const at = { item_id: ids[step.kind], ...place(), delta: step.text };
      const delta =
        step.kind === 'say'
          ? event('response.output_text.delta', { ...at, content_index: 0 })
          : event('response.reasoning_summary_text.delta', { ...at, summary_index: 0 });
      return [...before, delta];
    },
    close() {
      const before = shut();
      const whole = { ...response(body, id), status: 'completed', output, usage: USAGE };
      return [...before, event('response.completed', { response: whole })];
    },
  };
}
