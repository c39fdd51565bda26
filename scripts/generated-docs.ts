import { openApi } from '../src/contract/http/openapi.ts';
import { jsonSchemas } from '../src/contract/json-schema.ts';
import { actsMarkdown } from './acts.ts';
import { cliMarkdown } from './cli-docs.ts';
import { crashPointsMarkdown } from './crash-points.ts';

/** Every page that is made from the code: path → text. */
export async function generatedDocs(): Promise<Record<string, string>> {
  const pages: Record<string, string> = {
    'docs/CLI.md': await cliMarkdown(),
    'docs/ACTS.md': actsMarkdown(),
    'docs/CRASH-POINTS.md': crashPointsMarkdown(),
  };
  for (const [name, schema] of Object.entries(jsonSchemas())) {
    pages[`docs/schema/${name}.schema.json`] = `${JSON.stringify(schema, null, 2)}\n`;
  }
  pages['docs/schema/openapi.json'] = `${JSON.stringify(openApi(), null, 2)}\n`;
  return pages;
}
