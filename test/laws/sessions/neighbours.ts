import { until } from '../../support/until.ts';
import { agentPid, givenTo } from './member.ts';
import { isSame, type Running, running } from './processes.ts';
import type { Room } from './room.ts';

interface Neighbour {
  readonly label: string;
  readonly sessionId: string;
  readonly processes: readonly Running[];
}

/** Sessions that nobody gave to rollcall: at work beside those of the batch, and at rest. */
export class Neighbours {
  readonly #room: Room;
  readonly labels: readonly string[];
  readonly #all: Neighbour[] = [];
  readonly #file: string;
  readonly #home: string;

  private constructor(room: Room, isApart: boolean, labels: readonly string[]) {
    this.#room = room;
    this.#home = isApart ? OTHER : (labels[0] ?? OTHER);
    this.labels = isApart ? [...labels, OTHER] : labels;
    this.#file = `${room.folder}/agents/innocent`;
  }

  /** `isApart`: the one at rest has a server of its own. */
  static async settle(room: Room, isApart: boolean, labels: readonly string[]): Promise<Neighbours> {
    const neighbours = new Neighbours(room, isApart, labels);
    for (const label of neighbours.labels) await neighbours.#add(label, 'innocent', 'sleep', '100001');
    const agent = [process.env.ROLLCALL_SCRIPTED_AGENT ?? '', 'leaves', 'talk-innocent', neighbours.#file];
    await neighbours.#add(neighbours.#home, 'bystander', ...agent);
    await until('it speaks', () => agentPid(neighbours.#file) > 0);
    return neighbours;
  }

  async #add(label: string, name: string, ...words: string[]): Promise<void> {
    const command = ['new-session', '-d', '-P', '-F', '#{session_id} #{pane_pid}', '-s', name, ...words];
    const [sessionId = '', pid = ''] = (await this.#room.tmux(label, command)).split(' ');
    const processes = running().filter((one) => one.pid === Number(pid));
    this.#all.push({ label, sessionId, processes });
  }

  /** Which of them are not as they were. */
  async harmed(): Promise<string[]> {
    const wrongs: string[] = [];
    for (const { label, sessionId, processes } of this.#all) {
      if ((await this.#room.tryTmux(label, ['has-session', '-t', sessionId])) === null)
        wrongs.push(`an innocent session on ${label} is gone`);
      if (processes.length === 0 || !processes.every(isSame))
        wrongs.push(`an innocent process on ${label} is gone`);
    }
    const given = givenTo(this.#file);
    if (given.length > 0) wrongs.push(`an innocent agent was given ${given}`);
    return wrongs;
  }
}

const OTHER = 'other';
