import { join } from 'node:path';
import type { Memories } from './memories.ts';
import { type ListedFile, readEvent, type UnfinishedOf } from './read-event.ts';
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
  /** The spool. */
  readonly folder: string;
  readonly uid: number;
  /** The translation of one kind of agent; undefined for one that is not known. */
  translate(agentKind: string): Translate | undefined;
  now(): number;
  report(text: string): void;
}

export type Taking =
  /** `taken`: nothing is left to be learned from it. `later`: it could not be read, and may be yet. */
  | { readonly state: 'taken' | 'changed' | 'foreign' | 'later' | 'gone' }
  | { readonly state: 'unfinished'; readonly of: UnfinishedOf };

/** Takes single files of the spool into memory. */
export function createEventTaker(options: EventTakerOptions, memories: Memories) {
  const { folder, uid, translate, now, report } = options;
  const dropped = { unknownAgent: 0, saysNothing: 0, garbage: 0, unfinished: 0 };

  const isKnown = (of: UnfinishedOf) => typeof of === 'string' || translate(of.agentKind) !== undefined;
  const timeOf = ({ modifiedNs }: ListedFile) => Math.min(Number(modifiedNs / 1_000_000n), now());

  return {
    take(file: ListedFile): Taking {
      const read = readEvent(folder, file, uid);
      switch (read.state) {
        case 'gone':
        case 'changed':
          return { state: read.state };
        case 'unfinished':
          return { state: 'unfinished', of: isKnown(read.of) ? read.of : 'nobody' };
        case 'foreign':
          report(`${join(folder, file.name)} was not written by a hook of this user; it is left there`);
          return { state: 'foreign' };
        case 'failed':
          report(`a hook event was not read: ${read.text}`);
          return { state: 'later' };
        case 'garbage':
          dropped.garbage += 1;
          report(`${join(folder, file.name)} was no hook event; it is dropped`);
          memories.lose(timeOf(file), null);
          return { state: 'taken' };
        case 'event': {
          const understood = understand(read, translate, now());
          if (understood === 'unknown-agent') {
            dropped.unknownAgent += 1;
            report(`events of the unknown agent ${read.agentKind} are dropped`);
          } else if (understood === 'says-nothing' || understood === 'not-understood') {
            dropped.saysNothing += 1;
            if (understood === 'not-understood') memories.lose(timeOf(file), read);
          } else {
            memories.fold(understood.event, understood.meaning);
            const { agentKind, sender, at } = understood.event;
            const { conversation } = understood.meaning;
            if (understood.isDoubtful) memories.lose(at, { agentKind, sender, conversation });
          }
          return { state: 'taken' };
        }
      }
    },
    /** A file that nobody will finish, or that has been unreadable for long: its event is lost. */
    giveUp(file: ListedFile, of: UnfinishedOf): void {
      dropped.unfinished += 1;
      report('hook events that were never finished are removed');
      if (of === 'somebody') memories.lose(timeOf(file), null);
      else if (of !== 'nobody') memories.lose(timeOf(file), of);
    },
    dropped: (): Dropped => ({ ...dropped }),
  };
}
