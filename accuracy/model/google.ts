import type { Turn } from './conversation.ts';
import { whereItStands } from './conversation.ts';
import type { Body, Dialect, Speaker, StreamEvent } from './dialect.ts';

const USAGE = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };

/** Google's Generative Language API. */
export const google: Dialect = {
  name: 'google',
  matches: (path) => /:(stream)?generateContent$/i.test(path),
  read: (body, path) => ({
    ...whereItStands((body.contents ?? []).flatMap(turnsOf)),
    tools: (body.tools ?? []).flatMap((tool: Body) =>
      (tool.functionDeclarations ?? []).map((declared: Body) => String(declared.name)),
    ),
    model: /models\/([^:/]+):/.exec(path)?.[1] ?? '',
    isStreaming: /:streamGenerateContent$/.test(path),
    schema: body.generationConfig?.responseJsonSchema ?? body.generationConfig?.responseSchema ?? null,
  }),
  speaker,
  whole: (_body, id, text) => answer(id, [{ text }], 'STOP'),
  failure: (status) => {
    const code = status === 529 ? 503 : status;
    const name = code === 503 ? 'UNAVAILABLE' : 'INVALID_ARGUMENT';
    return { status: code, body: { error: { code, message: 'The script says so.', status: name } } };
  },
};

function turnsOf(content: Body): Turn[] {
  if (content.role === 'model') return [];
  return (content.parts ?? []).flatMap((part: Body): Turn[] => {
    if (part.functionResponse) return [{ kind: 'result' }];
    return typeof part.text === 'string' ? [{ kind: 'prompt', text: part.text }] : [];
  });
}

function answer(id: number, parts: readonly object[], finishReason?: string) {
  const candidate = { index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) };
  return { candidates: [candidate], usageMetadata: USAGE, responseId: `r${id}` };
}

function speaker(_body: Body, id: number): Speaker {
  const event = (part: object, finishReason?: string): StreamEvent => ({
    data: answer(id, [part], finishReason),
  });
  return {
    open: () => [],
    take(step) {
      if (step.kind === 'say') return [event({ text: step.text })];
      if (step.kind === 'think') return [event({ text: `**${step.text}**`, thought: true })];
      const functionCall = { name: step.call.name, args: step.call.input };
      return [event({ functionCall, thoughtSignature: 'c2NyaXB0' })];
    },
    close: () => [event({ text: '' }, 'STOP')],
  };
}
