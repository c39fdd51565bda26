/** A small space, so that numbers come round again within a story. */
const FIRST_PID = 300;
const PIDS = 4000;

/** Gives out process numbers, one after the other. */
export class PidSpace {
  readonly #isTaken: (pid: number) => boolean;
  #next = FIRST_PID;

  constructor(isTaken: (pid: number) => boolean) {
    this.#isTaken = isTaken;
  }

  /** The next one is this, if it is free. */
  nextIs(pid: number): void {
    this.#next = pid;
  }

  next(): number {
    for (let tries = 0; tries <= PIDS; tries += 1) {
      const pid = this.#next;
      this.#next = pid + 1 >= FIRST_PID + PIDS ? FIRST_PID : pid + 1;
      if (!this.#isTaken(pid)) return pid;
    }
    throw new Error('this machine has no process number left');
  }
}
