import { KINDS } from '../machine/agent-kinds.ts';
import type { AgentWord } from '../machine/agent-parts.ts';
import type { PortName } from '../machine/faults.ts';
import { type Act, wordsOf } from './acts.ts';
import { isClose } from './deeds.ts';
import type { Law, Verdict } from './law.ts';
import type { Scene } from './scene.ts';
import { GLANCE_MS } from './shown.ts';

/** So long after a source has failed no look before it can be what was decided on. */
const LOOKED_MS = 15_000;

export const blindDoesNothing: Law = {
  name: 'blind-does-nothing',
  sentence: 'while a source of what was decided on does not answer, or speaks against it, nothing is done',
  watch(scene) {
    return {
      before(act) {
        const { deed, doing } = act;
        if (deed === null || !isClose(deed) || (doing.what === 'press' && doing.key === 'BSpace'))
          return null;
        return unseen(scene, act) ?? (deed.closing.isForced ? null : contradicted(scene, act));
      },
    };
  },
};

function unseen({ machine }: Scene, act: Act): Verdict {
  const { by, session } = act;
  const seat = by.slice('rollcall:'.length);
  const isThere = session !== null && !session.isGone;
  const ports: PortName[] = isThere ? ['tmux.sense', 'processes'] : ['processes'];
  for (const port of ports) {
    const fault = machine.faults.at(port, seat, session?.server.socketPath);
    if (fault === null || fault.how === 'late' || machine.clock.ms - fault.fromMs < LOOKED_MS) continue;
    return `${by} ${wordsOf(act)}, and ${port} has given no answer for ${Math.round((machine.clock.ms - fault.fromMs) / 1000)} s`;
  }
  return null;
}

function contradicted({ machine }: Scene, act: Act): Verdict {
  const isTold = ({ turn, sinceMs }: AgentWord) =>
    turn === 'running' && machine.clock.ms - sinceMs > GLANCE_MS;
  const agent = act.truth?.agents.find(({ kind, word }) => KINDS[kind].hasStatus && isTold(word));
  return agent === undefined ? null : `${act.by} ${wordsOf(act)}, whose own status tells that it works`;
}
