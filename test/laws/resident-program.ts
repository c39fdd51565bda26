import { rollcallInside } from '../support/in-process.ts';

/** What a world asks of its resident, and what it answers. */
export interface Question {
  readonly id: number;
  readonly argv: readonly string[];
}

/** Runs command lines one after the other or side by side, as they come, until whoever asks is gone. */
export function reside(program: string): void {
  // Whatever it starts is told to call the built program.
  process.argv[1] = program;
  process.on('message', async ({ id, argv }: Question) => {
    try {
      process.send?.({ id, ran: await rollcallInside(argv, process.env) });
    } catch (error) {
      process.send?.({ id, problem: String((error as Error).stack) });
    }
  });
}
