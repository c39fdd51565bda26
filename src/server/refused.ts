import { visible } from '../core/text/visible.ts';

/** Why the server does not open: something in the state folder is not as only its owner would have left it. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly hint: string;

  constructor(text: string, hint: string) {
    super(visible(text, 600));
    this.hint = visible(hint, 600);
  }
}
