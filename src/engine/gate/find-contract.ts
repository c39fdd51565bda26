import type { GateContract } from '../../core/gate/contract.ts';

interface Place {
  readonly serverPid: number | null;
  readonly paneId: string | null;
}

/**
 * The contract that a stop may be about: that of its pane; where hooks may come from a daemon, whose environment is another
 * pane's, first that of its conversation. An open one before one that has ended. Whether it is the owner's is not said.
 */
export function contractFor(
  contracts: readonly GateContract[],
  stop: { readonly agentKind: string; readonly conversation: string | null },
  { serverPid, paneId }: Place,
  hasDaemon: boolean,
): GateContract | null {
  const said = contracts.filter(
    ({ owner }) =>
      hasDaemon && owner.agent.kind === stop.agentKind && owner.conversation === stop.conversation,
  );
  const here = contracts.filter(({ owner }) => owner.server.pid === serverPid && owner.paneId === paneId);
  const order = [...said.filter(isOpen), ...here.filter(isOpen), ...newestFirst([...said, ...here])];
  return order[0] ?? null;
}

function isOpen({ phase }: GateContract): boolean {
  return phase === 'open';
}

function newestFirst(contracts: readonly GateContract[]): GateContract[] {
  return [...contracts].sort((one, other) => other.startedAt - one.startedAt);
}
