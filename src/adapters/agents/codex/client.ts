import type { AgentSign } from '../../../core/agent/sign.ts';
import { isWithin } from '../../../core/agent/version.ts';
import { visible } from '../../../core/text/visible.ts';
import type { AskServer } from './app-server.ts';
import { type Clients, conversationOf, rootsOf } from './conversation.ts';
import { CONVERSATION_UNKNOWN, type CodexSubject, type Findings, NOTHING } from './findings.ts';
import { signOfAll, signOfThread } from './status.ts';
import { type CodexTranscripts, signOfTurn } from './transcript.ts';
import { VERIFIED } from './version.ts';

/**
 * Looks at a Codex that is a client of its home's daemon, which runs the turns, commands and hooks of all clients. If
 * the daemon does not answer, nothing is known: what the client shows may be old.
 */
export async function lookAtClient(
  subject: CodexSubject & { readonly home: string },
  tools: { readonly askServer: AskServer; readonly clients: Clients; readonly transcripts: CodexTranscripts },
): Promise<Findings> {
  const { scene, home, folder, command, isIdInTitle } = subject;
  const { pid, startTicks } = scene.agent;
  const me = {
    pid,
    startTicks,
    title: scene.title,
    isIdInTitle,
    ...(folder !== undefined && { folder }),
    ...(command.resumes !== undefined && { resumes: command.resumes }),
  };
  tools.clients.note(home, me);
  const answer = await tools.askServer(home, pid);
  if (answer.state === 'failed')
    return {
      ...NOTHING,
      gaps: [{ code: 'status-missing', text: visible(answer.text, 200) }, CONVERSATION_UNKNOWN],
      failures: [{ source: 'agent', text: visible(answer.text, 200) }],
      // Without a daemon it holds none.
      ...(answer.isAbsent !== true && { mayBeIn: 'any' }),
    };
  const clients = tools.clients.of(home);
  const base = { observedAt: scene.now, isVerified: isWithin(answer.version, VERIFIED) };
  const version = subject.version ?? answer.version;
  const found = { ...NOTHING, ...(version !== undefined && { version }), isHeard: true };
  const thread = conversationOf(me, clients, answer);
  if (thread === null) {
    const all = signOfAll(answer.threads, { clients: clients.length, connections: answer.clients }, base);
    const mayBeIn = rootsOf(answer.threads).map(({ id }) => id);
    return { ...found, signs: all ? [all] : [], gaps: [CONVERSATION_UNKNOWN], mayBeIn };
  }
  const status = signOfThread(thread, answer.threads, base);
  const isOwn = thread.transcript !== null && tools.transcripts.owner(thread.transcript)?.id === thread.id;
  const transcript = isOwn ? thread.transcript : null;
  const last = transcript === null ? null : tools.transcripts.lastTurn(transcript);
  // The daemon runs the turns: one that it does not know of, and that did not begin just now, has ended unheard.
  const eventsFrom = status?.turn === 'over' ? scene.now - UNHEARD_MS : 0;
  const signs: AgentSign[] = status ? [status] : [];
  if (last && (last.turn === 'over' || last.since >= eventsFrom)) signs.push(signOfTurn(last, base));
  return {
    ...found,
    conversation: thread.id,
    folder: thread.cwd,
    ...(transcript !== null && { transcript }),
    hasTurns: last !== null,
    signs,
    isFamilyKnown: status?.background !== undefined,
    eventsFrom,
  };
}

const UNHEARD_MS = 5_000;
