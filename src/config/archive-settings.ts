import { bytes } from './measure-kinds.ts';
import { setting, type ValuesOf } from './setting.ts';

/** What is kept of closed sessions beside their archives. It concerns the machine, so a project has no say. */
export const ARCHIVE_SETTINGS = {
  'archive.keepConversations': setting(bytes('0B', '1024GiB'), {
    default: '2GiB',
    means:
      'Room for copies of the conversations of closed sessions, compressed; the oldest go first. With 0B none are kept.',
    why: 'Agents delete conversations after a month or so. A conversation takes about a megabyte, so this holds those of years.',
  }),
};

export interface ArchiveSettings {
  readonly keepConversationsBytes: number;
}

/** Gives each value its place and its unit in the name. */
export function toArchiveSettings(values: ValuesOf<typeof ARCHIVE_SETTINGS>): ArchiveSettings {
  return { keepConversationsBytes: values['archive.keepConversations'] };
}
