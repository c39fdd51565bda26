import { z } from 'zod';
import { NOTIFY_EVENTS } from '../core/notify/rule.ts';

/** `rollcall notify test --json` */
export const notifyTestDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  rules: z.array(
    z.object({
      name: z.string(),
      on: z.array(z.enum(NOTIFY_EVENTS)),
      to: z.enum(['command', 'webhook', 'desktop']),
      state: z.enum(['sent', 'failed']),
      text: z.string().describe('what the program or the server answered; names no secret'),
      hint: z.string().nullable(),
      tookMs: z.number(),
    }),
  ),
});

export type NotifyTestDocument = z.infer<typeof notifyTestDocumentSchema>;
