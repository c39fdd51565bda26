import { MAX_SHARED } from './folder-child.ts';
import type { HostAnswer, Said } from './link.ts';

/** What a host can be asked, by name. */
export type Tasks = Readonly<Record<string, (...words: never[]) => Promise<unknown>>>;

/** The side of a host that its parent is at. */
export interface Parent {
  onSaid(listener: (said: Said) => void): void;
  tell(told: HostAnswer): void;
}

/** Answers questions until the parent hangs up. */
export function serve(tasks: Tasks, parent: Parent): void {
  const shared = new Map<number, unknown>();
  parent.onSaid((said) => {
    switch (said.kind) {
      case 'ping':
        return parent.tell({ kind: 'pong' });
      case 'shared':
        if (shared.size >= MAX_SHARED) shared.clear();
        shared.set(said.id, said.value);
        return;
      case 'question':
        return void answer(said);
    }
  });

  const answer = async (question: Extract<Said, { kind: 'question' }>): Promise<void> => {
    const { id, task, words } = question;
    const all = question.shared === null ? words : [...words, shared.get(question.shared)];
    try {
      const work = Object.hasOwn(tasks, task) ? tasks[task] : undefined;
      if (work === undefined) throw new Error(`nobody here knows how to ${task}`);
      parent.tell({ kind: 'answer', id, value: await work(...(all as never[])) });
    } catch (error) {
      parent.tell({ kind: 'failure', id, text: error instanceof Error ? error.message : String(error) });
    }
  };
}

/** The parent that started this process; null where none did. It ends with the parent, whatever it waits for. */
export function ownParent(own: NodeJS.Process): Parent | null {
  const { send } = own;
  if (send === undefined) return null;
  own.on('disconnect', () => own.kill(own.pid, 'SIGKILL'));
  return {
    onSaid: (listener) => own.on('message', (said) => listener(said as Said)),
    tell: (told) => void send.call(own, told, () => {}),
  };
}
