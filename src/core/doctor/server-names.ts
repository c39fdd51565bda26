import { visible } from '../text/visible.ts';

/** A server by the last part of its socket, as `tmux -L` has it. */
export function serverName({ socketPath }: { readonly socketPath: string }): string {
  return visible(socketPath.slice(socketPath.lastIndexOf('/') + 1), 60);
}

/** How a person reaches it, whatever folder its socket is in; quoted for a shell. */
export function tmuxAt({ socketPath }: { readonly socketPath: string }): string {
  return `tmux -S '${visible(socketPath, 200).replaceAll("'", `'\\''`)}'`;
}
