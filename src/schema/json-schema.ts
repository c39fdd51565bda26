import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

/** JSON Schema (draft 2020-12) of what a schema takes in. */
export function jsonSchemaOf(schema: v.GenericSchema): Record<string, unknown> {
  const { $schema, ...rest } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    overrideSchema: ({ jsonSchema }) => typedConst(jsonSchema) ?? shortNullable(jsonSchema),
  });
  return { $schema, ...rest };
}

// Whoever makes types from it needs to know the type of a constant.
function typedConst(made: JsonSchema): JsonSchema | null {
  return made.const === undefined ? null : { type: typeof made.const as 'string', ...made };
}

function shortNullable({ anyOf, ...made }: JsonSchema): JsonSchema | null {
  const [value, nothing, ...more] = (anyOf ?? []) as readonly JsonSchema[];
  const isShort = value?.type !== undefined && Object.keys(value).length === 1;
  if (!isShort || nothing?.type !== 'null' || more.length > 0) return null;
  return { type: [value.type as 'string', 'null'], ...made };
}
