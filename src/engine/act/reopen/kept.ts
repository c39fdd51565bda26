import { agentBehind } from '../../../core/agent/agent-behind.ts';
import type { ResumeOf } from '../../../core/agent/resumption.ts';
import { repositoriesIn } from '../../../core/close/lost-folder.ts';
import { reopeningOfStart } from '../../../core/close/reopen-start.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import { reopeningOf, withKnownAgent } from '../../../core/close/reopening.ts';
import { digestsIn, sealOf, VARIABLES } from '../../../core/close/seal.ts';
import type { JsonObject } from '../../../core/ledger/json.ts';
import { textIn, wordsIn } from '../../../core/ledger/json-values.ts';
import { isPartial } from '../../../core/ledger/partial.ts';
import { shownCommand } from '../../../core/mask-secrets.ts';
import type { RecogniseAgent } from '../../../core/program.ts';
import type { KeptStart } from '../../../core/start.ts';
import type { AgentAdapter } from '../../../ports/agent.ts';
import type { Hands } from '../hands.ts';
import { heardStart } from '../heard-start.ts';
import type { ReopenOrder, ReopenResult } from './order.ts';

type Refused = Extract<ReopenResult, { state: 'changed' | 'unsealed' | 'not-kept' }>;

/** What a closed session is made from: its archive, or what rollcall started it with. */
export function keptOf(hands: Hands, order: ReopenOrder): Reopening | Refused {
  const { facts, receipt } = order.closed;
  const start = heardStart(hands, order.closed);
  const body = receipt?.body ?? {};
  const id = textIn(body.receipt);
  const archived = id === null ? null : hands.archive.read(id);
  const seal = archived?.state === 'read' ? sealOf(body, archived.digest) : 'whole';
  const variables = archived?.state === 'read' && id !== null ? variablesOf(hands, id, body) : NONE;
  if (seal === 'changed' || variables.isChanged || (seal === 'unsealed' && !order.isUnsealedEnough)) {
    const state = seal === 'unsealed' ? seal : 'changed';
    return { state, path: archived?.path ?? '', resume: wordsIn(body.resume) };
  }
  const resumeOf = resumeBy(hands.agents);
  const recogniseAgent = recogniseBy(hands.agents);
  const resume = isPartial(receipt) ? wordsIn(body.resume) : null;
  const document = archived?.state === 'read' ? archived.document : null;
  const found =
    document && reopeningOf(document, resume, { start: variables.start, resumeOf, recogniseAgent });
  if (document && found) {
    const kinds = hands.agents.map(({ kind }) => kind);
    const known = withKnownAgent(found, kinds);
    const notes = [...(seal === 'unsealed' ? [NOT_COMPARED] : []), ...variables.missing];
    const repositories = repositoriesIn(document);
    return { ...known, missing: [...known.missing, ...notes], key: facts.key, repositories };
  }
  const run = textIn(start?.body.run);
  const kept = run === null ? null : hands.starts.of(run);
  const started = start && reopeningOfStart(facts, start.body, resumeOf, kept);
  const why = started && sendsAgain(hands.agents, started);
  if (start && why) {
    return {
      state: 'not-kept',
      text: `${why}, and a first prompt would be sent again; start it by hand: ${commandOf(start.body)}`,
    };
  }
  if (started) return started;
  if (start?.body.isWhole === false)
    return { state: 'not-kept', text: `${NOT_WHOLE}: ${commandOf(start.body)}` };
  const text = archived?.state === 'failed' ? archived.text : `there is no archive ${archived?.path ?? ''}`;
  return { state: 'not-kept', text: text.trim() };
}

const NOT_COMPARED = 'its archive was not compared: its receipt is of a version that recorded no digest';
const NOT_WHOLE = 'arguments that look like secrets, or are very long, were not recorded; start it by hand';

function commandOf({ argv }: JsonObject): string {
  return `rollcall run -- ${shownCommand(wordsIn(argv) ?? [], 500)}`;
}

interface Variables {
  readonly start: KeptStart | null;
  readonly isChanged: boolean;
  readonly missing: readonly string[];
}

const NONE: Variables = { start: null, isChanged: false, missing: [] };

/** How it was started, where the receipt tells of that; what is not as it was written is not run. */
function variablesOf({ archive }: Hands, id: string, body: JsonObject): Variables {
  if (digestsIn(body)?.[VARIABLES] === undefined) return NONE;
  const read = archive.start(id);
  if (read.state === 'read') {
    const isChanged = sealOf(body, read.digest, VARIABLES) !== 'whole';
    return { ...NONE, start: read.start, isChanged };
  }
  const why = read.state === 'failed' ? read.text : `${VARIABLES} is not in its archive any more`;
  return { ...NONE, missing: [`its options and variables are not known: ${why}`] };
}

/** Why the words of a start may not be run again as they are; null where no agent would get a prompt by them. */
function sendsAgain(agents: readonly AgentAdapter[], { agent, argv }: Reopening): string | null {
  if (agent !== null) {
    const isAble = agents.find(({ kind }) => kind === agent.kind)?.resume !== undefined;
    return isAble || (argv?.length ?? 0) < 2 ? null : `${agent.kind} cannot take up a conversation again`;
  }
  const behind = agentBehind(argv ?? [], recogniseBy(agents));
  return behind && `${behind} may have run behind another program, so which conversation it had is not known`;
}

function recogniseBy(agents: readonly AgentAdapter[]): RecogniseAgent {
  return (words) => agents.find((one) => one.recognises(words))?.kind ?? null;
}

/** Asks the agents how a conversation is brought back. */
export function resumeBy(agents: readonly AgentAdapter[]): ResumeOf {
  return (kind, conversation, starts) => {
    const adapter = agents.find((one) => one.kind === kind);
    if (adapter?.resume === undefined) return null;
    for (const { argv, cwd } of starts) {
      const at = placeIn(argv, adapter);
      if (at === null) continue;
      const own = { argv: argv.slice(at), ...(cwd !== undefined && { cwd }) };
      const resumed = adapter.resume(conversation, own);
      return resumed && { ...resumed, argv: [...argv.slice(0, at), ...resumed.argv] };
    }
    return conversation === null ? null : adapter.resume(conversation);
  };
}

// `rollcall lock … -- AGENT` stays in front of it.
function placeIn(argv: readonly string[], adapter: AgentAdapter): number | null {
  const places = [0, argv.indexOf('--') + 1];
  return places.find((at) => adapter.recognises(argv.slice(at))) ?? null;
}
