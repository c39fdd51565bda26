import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { distance } from './nearness.ts';

/** Tests in one process that start none; those of damaged inputs are left out, which take long and try no decision. */
const IN_PROCESS =
  /^test\/(?:core|config|contract|accuracy|adapters\/agents|cli\/render|engine|operations|hook)\//;
const STARTS_PROCESSES =
  /^test\/(?:support\/(?:private-tmux|own-process|command|mortal|in-process)|engine\/act\/acting-room)\.ts$/;

/** For each source, the test files that load it, nearest first. */
export function testsFor(sources: readonly string[]): Map<string, string[]> {
  const loads = new Map<string, ReadonlySet<string>>();
  const tests = filesBelow('test').filter((file) => file.endsWith('.test.ts') && IN_PROCESS.test(file));
  const loaders = tests.flatMap((test) => {
    const all = loadedBy(test, loads);
    return [...all].some((file) => STARTS_PROCESSES.test(file)) ? [] : [[test, all] as const];
  });
  return new Map(
    sources.map((source) => {
      const found = loaders.filter(([, all]) => all.has(source)).map(([test]) => test);
      return [source, found.sort((a, b) => distance(a, source) - distance(b, source) || (a < b ? -1 : 1))];
    }),
  );
}

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`)
    .sort();
}

function loadedBy(file: string, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  const all = new Set<string>([file]);
  for (const one of all) for (const next of importsOf(one, known)) all.add(next);
  return all;
}

function importsOf(file: string, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  const before = known.get(file);
  if (before !== undefined) return before;
  const imports = new Set<string>();
  // Types are gone when it runs.
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023);
  for (const statement of tree.statements) {
    const isImport =
      ts.isImportDeclaration(statement) &&
      statement.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword;
    const isExport = ts.isExportDeclaration(statement) && !statement.isTypeOnly;
    if (!isImport && !isExport) continue;
    const { moduleSpecifier } = statement as ts.ImportDeclaration;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) continue;
    const path = join(dirname(file), moduleSpecifier.text);
    if (moduleSpecifier.text.startsWith('.') && path.endsWith('.ts') && existsSync(path)) imports.add(path);
  }
  known.set(file, imports);
  return imports;
}
