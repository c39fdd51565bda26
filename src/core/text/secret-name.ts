// The last part of a name says what it holds: `--token-file` holds a path, and `max_tokens` a number.
const SECRET_NAME =
  /(?:token|secrets?|passwords?|passwd|passphrases?|credentials?|(?:api|access|secret|private)-?keys?|(?:^|-)(?:pass|key|auth|pat|jwt|authorization|cookies?|bearer|pwd)|(?:^|access-|api-|auth-|refresh-|session-)tokens)(?:-?\d{1,4})?$/;

/** What every shell has in its environment: the folder it is in. */
const FOLDERS: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

/** Whether a name of a flag, a variable, a field or a header says that its value is secret. */
export function isSecretName(name: string): boolean {
  if (FOLDERS.has(name)) return false;
  // `apiKey` and `API_KEY` are the same name as `--api-key`.
  const parts = name.slice(-64).replace(/([a-z\d])([A-Z])/g, '$1-$2');
  return SECRET_NAME.test(parts.replace(/[_.]/g, '-').toLowerCase());
}
