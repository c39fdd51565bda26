import type { JsonObject } from '../ledger/json.ts';
import { objectIn, textIn, wordsIn } from '../ledger/json-values.ts';
import type { Reopening } from './reopening.ts';

/** Says how an agent brings a conversation back, where it can. */
export type ResumeOf = (agentKind: string, conversation: string) => readonly string[] | undefined;

/**
 * How a session that rollcall started and lost is made again: by what it was started with, or by its conversation where
 * that was chosen at the start. Values of variables were not recorded, since they may be secret.
 */
export function reopeningOfStart(
  session: { readonly key: string; readonly name: string },
  body: JsonObject,
  resumeOf: ResumeOf,
): Reopening | null {
  const [cwd, argv] = [textIn(body.cwd), wordsIn(body.argv)];
  if (cwd === null || argv === null) return null;
  const told = objectIn(body.agent);
  const [kind, conversation] = [textIn(told?.kind), textIn(told?.conversation)];
  const resume = kind !== null && conversation !== null ? resumeOf(kind, conversation) : undefined;
  // Words that were cut or masked would start something else.
  if (resume === undefined && body.isWhole === false) return null;
  const variables = wordsIn(body.env) ?? [];
  return {
    ...{ key: session.key, name: session.name, cwd, env: {}, windows: [], size: null, folders: [cwd] },
    socketPath: textIn(objectIn(body.server)?.socketPath),
    argv: resume ?? argv,
    agent: kind === null ? null : { kind, conversation },
    missing: [
      'only its first pane is known, by how it was started',
      ...(kind !== null && resume === undefined
        ? [`the conversation of ${kind} is not known: a new one begins`]
        : []),
      ...(variables.length > 0 ? [`variables whose values were not recorded: ${variables.join(', ')}`] : []),
    ],
  };
}
