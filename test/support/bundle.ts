import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Bundle {
  readonly input: string;
  readonly file: string;
  readonly format: 'esm' | 'cjs';
  /** What is left to be found where it runs. */
  readonly external?: readonly string[];
}

const BUILD = `
const { build } = await import('rolldown');
const { input, file, format, external = [] } = JSON.parse(process.argv[1]);
const { output } = await build({
  ...{ input, platform: 'node', external, logLevel: 'silent' },
  output: { file, format, codeSplitting: false },
});
console.log(JSON.stringify(output[0].exports));
`;

/**
 * Makes one plain file of sources, and gives the names that it exports. In a process of its own: the bundler keeps hundreds of
 * megabytes, and the kernel would copy their tables for every process that a worker starts from then on.
 */
export async function bundle(what: Bundle): Promise<readonly string[]> {
  const argv = ['--input-type=module', '-e', BUILD, JSON.stringify(what)];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  return JSON.parse(stdout);
}
