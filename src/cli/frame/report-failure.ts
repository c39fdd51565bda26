import { toDocument } from '../../contract/document.ts';
import type { ErrorDocument } from '../../contract/document-schemas.ts';
import { visible } from '../../core/text/visible.ts';
import { type Candidate, Failure } from '../../operations/failure.ts';
import type { TerminalOutput } from './surroundings.ts';
import { writeJson } from './write-json.ts';

interface Reporting {
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  readonly isJson: boolean;
}

/** Says what went wrong, on stderr for people and on stdout for `--json`, and gives the exit code for it. */
export function reportFailure(error: unknown, { stdout, stderr, isJson }: Reporting): number {
  const failure = error instanceof Failure ? error : unexpected(error);
  if (isJson) writeJson(stdout, toErrorDocument(failure));
  else stderr.write(toText(failure));
  return failure.exitCode;
}

function toErrorDocument(failure: Failure): ErrorDocument {
  const { code, exitCode, message, hint, details, candidates } = failure;
  return toDocument({
    error: {
      ...{ code, exitCode, message, hint },
      ...(details.length > 0 ? { details: [...details] } : {}),
      ...(candidates.length > 0 ? { candidates: candidates.map((candidate) => ({ ...candidate })) } : {}),
    },
  });
}

function toText({ message, details, candidates, hint }: Failure): string {
  const lines = [`rollcall: ${visible(message)}`];
  for (const line of [...details, ...candidates.map(candidateLine)]) lines.push(`  ${visible(line)}`);
  if (hint !== null) lines.push(`  hint: ${visible(hint)}`);
  return `${lines.join('\n')}\n`;
}

function candidateLine({ server, name, sessionId, key }: Candidate): string {
  return `${server}:${name}  ${sessionId}  key ${key}`;
}

function unexpected(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 4) : [];
  const cause =
    error instanceof Error && error.cause instanceof Error ? [`cause: ${error.cause.message}`] : [];
  return new Failure('failed', `unexpected error: ${message}`, {
    details: [...cause, ...frames.map((frame) => frame.trim())],
    hint: 'this is a defect of rollcall: please report it with these lines',
  });
}
