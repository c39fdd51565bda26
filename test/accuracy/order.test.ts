import { describe, expect, it } from 'vitest';
import { fillSchema, whereItStands } from '../../accuracy/model/conversation.ts';
import { lastOrder, ownerOf, promptFor } from '../../accuracy/model/order.ts';
import { replyTo } from '../../accuracy/model/reply.ts';

const prompt = (text: string) => ({ kind: 'prompt', text }) as const;
const result = { kind: 'result' } as const;

const UNCHOSEN = { remembered: [], model: 'scripted' };

describe('orders to the scripted model', () => {
  it('come back out of the words that an agent puts around them', () => {
    const order = { verb: 'run', argument: '/tmp/x/quiet 7', tag: 'k12' };
    expect(lastOrder(`<reminder>today</reminder>\n${promptFor(order)}\nBe brief.`)).toEqual(order);
  });

  it('obey the last one when earlier prompts are repeated', () => {
    expect(lastOrder('DO stream 5 (k1)\nDO done (k2)')?.tag).toBe('k2');
    expect(lastOrder('What shall I DO now?')).toBeNull();
  });

  it('count the tool results since the order, not those before it', () => {
    const turns = [prompt('DO run a (k1)'), result, prompt('DO run b (k2)'), result, prompt('go on')];
    expect(whereItStands(turns)).toMatchObject({ order: { tag: 'k2' }, results: 1 });
  });

  it('tell which earlier turns an agent still knows', () => {
    const turns = [prompt('DO done (k1)'), prompt('go on'), prompt('DO done (k2)'), prompt('DO done (k2)')];
    expect(whereItStands(turns).remembered).toEqual(['k1', 'k2']);
  });

  it("give a subagent's requests to the order that started it", () => {
    const conversation = {
      results: 0,
      nudges: 0,
      ...UNCHOSEN,
      tools: ['Agent'],
      isStreaming: true,
      schema: null,
    };
    const reply = replyTo({ ...conversation, order: { verb: 'delegate', argument: '7', tag: 'k3' } }, 1);
    const [step] = reply.kind === 'speak' ? reply.steps : [];
    const sub = lastOrder(step?.kind === 'call' ? String(step.call.input.prompt) : '');
    expect(sub).toMatchObject({ verb: 'stream', argument: '7' });
    expect(ownerOf(sub?.tag ?? '')).toBe('k3');
  });

  it('are not obeyed in side requests, which would hold up a title for as long as the turn', () => {
    const conversation = {
      results: 0,
      nudges: 0,
      ...UNCHOSEN,
      isStreaming: true,
      order: { verb: 'silent', argument: '60', tag: 'k4' },
    };
    expect(replyTo({ ...conversation, tools: [], schema: null }, 1)).toMatchObject({ role: 'side' });
    const schema = { properties: { next_speaker: { type: 'string', enum: ['model', 'user'] } } };
    expect(fillSchema(schema, 'x')).toBe('{"next_speaker":"user"}');
  });

  it('fail as often as they say, then go through', () => {
    const conversation = {
      results: 0,
      nudges: 0,
      ...UNCHOSEN,
      tools: ['Bash'],
      isStreaming: true,
      schema: null,
    };
    const order = { verb: 'overload', argument: '2', tag: 'k5' };
    const kinds = [1, 2, 3].map((attempt) => replyTo({ ...conversation, order }, attempt).kind);
    expect(kinds).toEqual(['fail', 'fail', 'speak']);
  });

  it('count how often a stop gate has kept the agent going since the order', () => {
    const nudge = prompt(
      'Stop hook feedback: done.txt is missing. When it is there, `rollcall gate finish` ends it.',
    );
    const turns = [prompt('DO mend a b 2 (k6)'), nudge, result, nudge];
    expect(whereItStands(turns)).toMatchObject({ order: { tag: 'k6' }, results: 0, nudges: 2 });
    expect(whereItStands([...turns, prompt('DO done (k7)')])).toMatchObject({ results: 0, nudges: 0 });
  });

  it('are gone on with part by part, the missing one last, and never end in the same words twice', () => {
    const order = { verb: 'mend', argument: '/bin/quiet /w 2', tag: 'k8' };
    const conversation = {
      ...UNCHOSEN,
      tools: ['Bash'],
      isStreaming: true,
      schema: null,
      order,
    };
    const replied = (nudges: number, results = 0) => {
      const reply = replyTo({ ...conversation, nudges, results }, 1);
      const steps = reply.kind === 'speak' ? reply.steps : [];
      return steps.map((step) =>
        step.kind === 'call' ? step.call.input.command : 'text' in step && step.text,
      );
    };
    expect(replied(0)).toEqual(['It is done.']);
    expect(replied(1)).toContain('/bin/quiet 0 /w/part-1.txt');
    expect(replied(2)).toContain('/bin/quiet 0 /w/done.txt');
    expect(replied(1, 1)).not.toEqual(replied(2, 1));
  });

  it('are refused by whoever has nothing to add', () => {
    const order = { verb: 'shirk', argument: '', tag: 'k9' };
    const conversation = { ...UNCHOSEN, results: 0, tools: ['Bash'], isStreaming: true, schema: null, order };
    expect(replyTo({ ...conversation, nudges: 1 }, 1)).toMatchObject({
      steps: [{ kind: 'say', text: 'There is nothing more to do, 1.' }],
    });
  });
});
