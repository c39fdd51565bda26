import * as v from 'valibot';
import { NOTIFY_EVENTS } from '../core/notify/rule.ts';
import { described } from '../schema/described.ts';
import { documentOf } from './schema-parts.ts';

/** `rollcall notify test --json` */
export const notifyTestDocumentSchema = documentOf({
  rules: v.array(
    v.object({
      name: v.string(),
      on: v.array(v.picklist(NOTIFY_EVENTS)),
      to: v.picklist(['command', 'webhook', 'desktop']),
      state: v.picklist(['sent', 'failed']),
      text: described(v.string(), 'what the program or the server answered; names no secret'),
      hint: v.nullable(v.string()),
      tookMs: v.number(),
    }),
  ),
});

export type NotifyTestDocument = v.InferOutput<typeof notifyTestDocumentSchema>;
