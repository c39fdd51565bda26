// Closes, hibernates and keeps real tmux sessions by the thousand; see test/laws/sessions/ and docs/SESSIONS.md.
import { importTs } from './run-ts.mjs';

const { sessions } = await importTs('test/laws/sessions/main.ts');
process.exitCode = await sessions(process.argv.slice(2));
