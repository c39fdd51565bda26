import { Failure } from '../../operations/failure.ts';

/** A program that could not be started, with the exit codes that shells use for it. */
export class StartFailure extends Failure {
  readonly #isMissing: boolean;

  constructor(program: string, code: string, text: string) {
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    super('failed', `${program} could not be started: ${isMissing ? 'not found' : text}`, {
      hint: isMissing ? 'see whether it is installed and on PATH' : 'see whether it may be executed',
    });
    this.#isMissing = isMissing;
  }

  override get exitCode(): number {
    return this.#isMissing ? 127 : 126;
  }
}
