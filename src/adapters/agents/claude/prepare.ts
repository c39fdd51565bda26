import { randomUUID } from 'node:crypto';
import type { PreparedStart } from '../../../ports/agent.ts';
import { argumentsOfClaude, conversationNamedIn, optionsIn } from './recognise.ts';

// The conversation is chosen already, or it is one that exists (`claude --help`, 2.1.325).
const CHOOSES = /^(?:-[cr]|--(?:session-id|resume|continue|from-pr|teleport))$/;

/** Gives a new conversation its id, so that its transcript and status are known to be this session's from the start. */
export function prepare(argv: readonly string[], newId: () => string = randomUUID): PreparedStart {
  const words = argumentsOfClaude(argv);
  if (words === null) return { argv };
  if (optionsIn(argv).some(({ name }) => CHOOSES.test(name))) {
    const conversation = conversationNamedIn(argv);
    return conversation === undefined ? { argv } : { argv, conversation };
  }
  const conversation = newId();
  const before = argv.slice(0, argv.length - words.length);
  return { argv: [...before, '--session-id', conversation, ...words], conversation };
}
