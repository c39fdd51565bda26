import { outsideOf } from './cli/frame/outside.ts';
import { runCli } from './cli/frame/run-cli.ts';
import { capabilitiesOf } from './compose/capabilities.ts';
import { FOLDERS_WORD, startFoldersWith } from './compose/folders/folders.ts';
import { keepToProgramPath, labelSocket, withUserPath } from './compose/system/own-user.ts';

declare const __ROLLCALL_VERSION__: string;

const { env } = process;
keepToProgramPath(env);
const version = __ROLLCALL_VERSION__;
const outside = outsideOf(process, {
  version,
  env: withUserPath(env),
  socketOf: (label) => labelSocket(label, env),
  capabilities: capabilitiesOf(env, version),
});
const [program = '', word, words] = process.argv.slice(1);
startFoldersWith([process.execPath, program]);
// No command: only rollcall itself starts this, to look at folders that may give no answer.
const isServing = async () =>
  word === FOLDERS_WORD && (await import('./compose/folders/serve-folders.ts')).serveFolders(env, words);
isServing().then(async (isServed) => {
  if (!isServed) process.exitCode = await runCli(process.argv.slice(2), outside);
});
