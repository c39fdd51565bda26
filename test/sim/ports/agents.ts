import type { HookMeaning } from '../../../src/core/agent/hook-memory.ts';
import type { AgentAdapter, AgentReading, AgentScene } from '../../../src/ports/agent.ts';
import { SimAgent } from '../machine/agent.ts';
import { type AgentKind, KINDS, kindOf, optionIn } from '../machine/agent-kinds.ts';
import { hookSign, memoryOf, screenSign, statusSign, titleSign, transcriptSign } from './agent-signs.ts';
import type { Seat } from './seat.ts';

const SILENT: AgentReading = { signs: [], gaps: [], failures: [] };

/** The adapters of all simulated kinds of agents: each tells what its sources would tell, and nothing else. */
export function agentAdapters(seat: Seat): readonly AgentAdapter[] {
  return (Object.keys(KINDS) as AgentKind[]).map((kind) => adapter(seat, kind));
}

function adapter(seat: Seat, kind: AgentKind): AgentAdapter {
  const { machine } = seat;
  const facts = KINDS[kind];
  const recognises = (argv: readonly string[]) => kindOf(argv) === kind;
  const common = { kind, recognises, exit: { command: facts.exit, signal: 'process' } as const };
  if (!facts.hasScreen) return common;
  return {
    ...common,
    listen: (scene) => hear(seat, kind, scene),
    readScreen: ({ lines, observedAt }) => screenSign(lines, observedAt),
    verified: { from: '1.0', to: '1.0' },
    ...(facts.hasHooks && {
      hooks: {
        events: ['start', 'prompt', 'tool', 'notify', 'stop', 'background', 'end'],
        translate: ({ payload }) => (payload === null ? null : (payload as unknown as HookMeaning)),
      },
    }),
    choice: (argv) => ({ how: optionIn(argv, '--resume') === null ? 'new' : 'own' }),
    resume(conversation, startedAs) {
      const [program = facts.program] = startedAs?.argv ?? [];
      if (startedAs !== undefined && !recognises(startedAs.argv)) return null;
      return { argv: conversation === null ? [program] : [program, '--resume', conversation], dropped: [] };
    },
    conversations: {
      folder: () => `${machine.home}/.${kind}`,
      async read({ conversation }) {
        seat.step();
        const found = machine.conversations.get(conversation);
        if (found === undefined || !found.isThere)
          return { lacks: 'there is no file of it', files: [], deletedAt: null };
        const lacks = found.turns.length === 0 ? 'it has no turn' : null;
        return { lacks, files: [found.path], deletedAt: null };
      },
    },
  };
}

function hear(seat: Seat, kind: AgentKind, scene: AgentScene): AgentReading {
  seat.step();
  const { machine } = seat;
  if (seat.fault('agents') !== null) {
    return { ...SILENT, failures: [{ source: 'agent', text: 'its files cannot be read' }] };
  }
  const agent = machine.processes.find(scene.agent)?.program;
  if (!(agent instanceof SimAgent) || agent.truth.isStarting) return SILENT;
  const { hasStatus, hasTranscript, hasHooks } = KINDS[kind];
  const { conversation, process } = agent;
  const memory = hasHooks ? memoryOf(scene, agent.truth.conversation) : undefined;
  const signs = [
    hasStatus ? statusSign(agent, scene.now) : null,
    hookSign(memory, scene.now),
    hasTranscript ? transcriptSign(conversation, scene.now) : null,
    titleSign(scene.title, scene.now),
  ];
  return {
    version: '1.0',
    ...(conversation !== null && {
      conversation: conversation.id,
      resume: [process.argv[0] ?? KINDS[kind].program, '--resume', conversation.id],
      ...(hasTranscript && { transcript: conversation.path }),
    }),
    signs: signs.filter((sign) => sign !== null),
    gaps:
      hasHooks && memory === undefined ? [{ code: 'hooks-silent', text: 'its hooks have told nothing' }] : [],
    failures: [],
  };
}
