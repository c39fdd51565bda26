import { join } from 'node:path';
import type { Memories } from './memories.ts';
import { type ListedFile, readEvent } from './read-event.ts';
import { type Translate, understand } from './understand.ts';

/** Events that told nothing, by why. */
export interface Dropped {
  readonly unknownAgent: number;
  readonly saysNothing: number;
  /** Whole files that no hook wrote. */
  readonly garbage: number;
  /** Files that their hooks never finished, or some writer never renamed. */
  readonly unfinished: number;
}

export interface EventTakerOptions {
  readonly folder: string;
  readonly uid: number;
  readonly memories: Memories;
  translate(agentKind: string): Translate | undefined;
  report(text: string): void;
}

/** Takes single files of the spool into memory. */
export interface EventTaker {
  /** `taken`: nothing is left to be learned from it. `later`: it could not be read, and may be yet. */
  take(file: ListedFile): 'taken' | 'unfinished' | 'changed' | 'foreign' | 'later' | 'gone';
  /** A file that nobody will finish was removed. */
  giveUp(): void;
  dropped(): Dropped;
}

export function createEventTaker({
  folder,
  uid,
  memories,
  translate,
  report,
}: EventTakerOptions): EventTaker {
  const dropped = { unknownAgent: 0, saysNothing: 0, garbage: 0, unfinished: 0 };
  return {
    take(file) {
      const read = readEvent(folder, file, uid);
      switch (read.state) {
        case 'gone':
        case 'unfinished':
        case 'changed':
          return read.state;
        case 'foreign':
          report(`${join(folder, file.name)} was not written by a hook of this user; it is left there`);
          return 'foreign';
        case 'failed':
          report(`a hook event was not read: ${read.text}`);
          return 'later';
        case 'garbage':
          dropped.garbage += 1;
          report(`${join(folder, file.name)} was no hook event; it is dropped`);
          return 'taken';
        case 'event': {
          const understood = understand(read, translate);
          if (understood === 'says-nothing') dropped.saysNothing += 1;
          else if (understood === 'unknown-agent') {
            dropped.unknownAgent += 1;
            report(`events of the unknown agent ${read.agentKind} are dropped`);
          } else memories.fold(understood.event, understood.meaning);
          return 'taken';
        }
      }
    },
    giveUp() {
      dropped.unfinished += 1;
      report('hook events that were never finished are removed');
    },
    dropped: () => ({ ...dropped }),
  };
}
