/**
 * How a session is lost that no server showed: with a boot of the machine, with its server, or alone, from a server that
 * still answers. Alone it may have been somebody's wish.
 */
export const LOSSES = {
  restarted: 'the machine has restarted since',
  missing: 'its server answers, and does not have it',
  replaced: 'its server has ended, and another one took its place',
  ended: 'its server has ended',
} as const;

export type LostBy = keyof typeof LOSSES;
