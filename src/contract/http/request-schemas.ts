import { z } from 'zod';
import type { ActionName, Field, Fields } from './fields.ts';
import { BODIES } from './fields.ts';

/** The body of every action. A field that is not known is a mistake, and not a later version's. */
export const requestSchemas: Readonly<Record<ActionName, z.ZodType>> = {
  hold: schemaOf(BODIES.hold),
  unhold: schemaOf(BODIES.unhold),
  retain: schemaOf(BODIES.retain),
  complete: schemaOf(BODIES.complete),
  close: schemaOf(BODIES.close),
  hibernate: schemaOf(BODIES.hibernate),
  wake: schemaOf(BODIES.wake),
  reopen: schemaOf(BODIES.reopen),
};

function schemaOf(fields: Fields): z.ZodType {
  const parts = Object.entries(fields).map(([name, field]) => [
    name,
    valueSchema(field).describe(field.means).optional(),
  ]);
  return z.strictObject(Object.fromEntries(parts));
}

function valueSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case 'text':
      return z.string().min(1).max(field.max);
    case 'number':
      return z.number().int().min(field.min).max(field.max);
    case 'switch':
      return z.boolean();
    case 'choice':
      return z.enum(field.values);
    case 'texts':
      return z.array(z.string().min(1).max(field.max)).max(field.most);
    case 'choices':
      return z.array(z.enum(field.values)).max(field.values.length);
  }
}
