import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPayload } from '../../src/adapters/spool/read-event.ts';
import { allAgents } from '../../src/compose/look/agents.ts';
import { GateRoom, IN_PANE } from './gate-room.ts';
import { CONVERSATIONS, ODD_AGENTS, type OddAgent, oddPayloads, TRUE_PAYLOADS } from './odd-payloads.ts';

const gates = new Map(allAgents().flatMap(({ kind, gate }) => (gate ? [[kind, gate] as const] : [])));
const gateOf = (agent: OddAgent) => {
  const gate = gates.get(agent);
  if (gate === undefined) throw new Error(`${agent} has no gate`);
  return gate;
};
const EVENTS: Readonly<Record<OddAgent, string>> = {
  claude: 'Stop',
  codex: 'Stop',
  gemini: 'AfterAgent',
  opencode: 'session.idle',
};

it('what the agents send is understood', () => {
  for (const agent of ODD_AGENTS) {
    const { payload, isWhole } = readPayload(Buffer.from(JSON.stringify(TRUE_PAYLOADS[agent])), false);
    const said = { conversation: CONVERSATIONS[agent], isSubagent: false, isContinued: false };
    expect(isWhole).toBe(true);
    expect(gateOf(agent).read(payload)).toMatchObject(said);
    expect(gateOf(agent).event).toBe(EVENTS[agent]);
  }
});

it('S53, S57: 10,000 odd payloads: no gate throws, and none finds a conversation that was not there', () => {
  const seen = { understood: 0, named: 0, kinds: new Set<string>() };
  for (const { kind, bytes } of oddPayloads(10_000, { seed: 7 })) {
    seen.kinds.add(kind);
    for (const isCut of [false, true]) {
      const { payload } = readPayload(bytes, isCut);
      for (const agent of ODD_AGENTS) {
        const said = gateOf(agent).read(payload);
        if (said === null) continue;
        seen.understood += 1;
        // Everything that a decision rests on was in it, as the agent writes it.
        const told = agent === 'opencode' ? payload?.type : payload?.hook_event_name;
        expect(told, kind).toBe(EVENTS[agent]);
        expect(said.isContinued, kind).toBe(payload?.stop_hook_active);
        expect(
          said.isSubagent || said.conversation === null || said.conversation === named(agent, payload),
          kind,
        ).toBe(true);
        if (said.conversation === null) continue;
        seen.named += 1;
        expect(bytes.includes(said.conversation), kind).toBe(true);
        expect(said.conversation, kind).toMatch(/^(?:[0-9a-f-]{36}|ses_\w+)$/i);
      }
    }
  }
  expect(seen.kinds.size).toBe(11);
  expect(seen.understood).toBeGreaterThan(seen.named);
  expect(seen.named).toBeGreaterThan(1_000);
});

it('S53, S57: odd payloads through the script: asked once each, all of it kept, nothing printed', async () => {
  const room = new GateRoom();
  try {
    const payloads = [...oddPayloads(240, { seed: 11 })].filter(({ agent }) => agent !== 'opencode');
    const next = payloads.values();
    const work = async () => {
      for (const { agent, kind, bytes } of next) {
        const ran = await room.run(bytes, { words: [agent, EVENTS[agent]], env: IN_PANE });
        expect(ran, kind).toMatchObject({ status: 0, out: '', err: '' });
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    const names = room.asked.map(([name = '']) => name);
    expect(new Set(names).size).toBe(payloads.length);
    expect(room.left).toEqual([]);
    const kept = names.map((name) => {
      const event = readFileSync(join(room.spool, name));
      return event.subarray(event.indexOf('\n\n') + 2, -`\nend=${name}\n`.length).toString('base64');
    });
    expect(kept.sort()).toEqual(payloads.map(({ bytes }) => bytes.toString('base64')).sort());
  } finally {
    room.remove();
  }
});

function named(agent: OddAgent, payload: Readonly<Record<string, unknown>> | null): unknown {
  if (agent !== 'opencode') return payload?.session_id;
  return (payload?.properties as { sessionID?: unknown } | undefined)?.sessionID;
}
