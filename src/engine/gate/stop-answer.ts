/** What the hook is told: nothing, what to print so that the agent goes on, or how many seconds the checks need. */
export type StopAnswer =
  | { readonly exitCode: 0 }
  | { readonly exitCode: 10; readonly print: string }
  | { readonly exitCode: 11; readonly print: string };

/** The agent stops. */
export const APPROVED: StopAnswer = { exitCode: 0 };
