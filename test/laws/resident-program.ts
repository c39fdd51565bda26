import { PROGRAM } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';

/** What a world asks of its resident, and what it answers. */
export interface Question {
  readonly id: number;
  readonly argv: readonly string[];
}

// Whatever it starts is told to call the built program.
process.argv[1] = PROGRAM;

// Runs command lines one after the other or side by side, as they come, until whoever asks is gone.
process.on('message', async ({ id, argv }: Question) => {
  try {
    process.send?.({ id, ran: await rollcallInside(argv, process.env) });
  } catch (error) {
    process.send?.({ id, problem: String((error as Error).stack) });
  }
});
