const GIB = 1024 ** 3;

/** What is kept of closed sessions beside their archives. It concerns the machine, so a project has no say. */
export const ARCHIVE_SETTINGS = [
  {
    key: 'archive.keepConversations',
    kind: 'bytes',
    default: 2 * GIB,
    min: 0,
    max: 1024 * GIB,
    projectMay: 'nothing',
    means:
      'Room for copies of the conversations of closed sessions, compressed; the oldest go first. With 0B none are kept.',
    why: 'Agents delete conversations after a month or so. A conversation takes about a megabyte, so this holds those of years.',
  },
] as const;

type ArchiveValues = { readonly [S in (typeof ARCHIVE_SETTINGS)[number] as S['key']]: number };

export interface ArchiveSettings {
  readonly keepConversationsBytes: number;
}

/** Gives each value its place and its unit in the name. */
export function toArchiveSettings(values: ArchiveValues): ArchiveSettings {
  return { keepConversationsBytes: values['archive.keepConversations'] };
}
