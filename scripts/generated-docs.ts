import { readFigures } from '../bench/figures.ts';
import { FIGURES, pageFiles } from '../bench/page.ts';
import { openApi } from '../src/contract/http/openapi.ts';
import { jsonSchemas } from '../src/contract/json-schema.ts';
import { actsMarkdown } from './acts.ts';
import { cliMarkdown } from './cli-docs.ts';
import { crashPointsMarkdown } from './crash-points.ts';
import { reliabilityMarkdown } from './reliability.ts';

/** Every page that is made from the code, or from figures that were measured: path → text. */
export async function generatedDocs(): Promise<Record<string, string>> {
  const pages: Record<string, string> = {
    'docs/CLI.md': await cliMarkdown(),
    'docs/ACTS.md': actsMarkdown(),
    'docs/CRASH-POINTS.md': crashPointsMarkdown(),
    'docs/RELIABILITY.md': reliabilityMarkdown(),
    ...pageFiles('docs', readFigures(`docs/${FIGURES}`)),
  };
  for (const [name, schema] of Object.entries(jsonSchemas())) {
    pages[`docs/schema/${name}.schema.json`] = `${JSON.stringify(schema, null, 2)}\n`;
  }
  pages['docs/schema/openapi.json'] = `${JSON.stringify(openApi(), null, 2)}\n`;
  return pages;
}
