/** One session of the demo: what it is called and what plays in it. */
export interface Part {
  readonly name: string;
  /** Shell text; `@agent` is the scripted agent, `@folder` the stage's folder. */
  readonly script: string;
  /** Run the text as a program of this name, so that the roll has something to call it. */
  readonly program?: string;
  /** Keep the pane when its program ends. */
  readonly remainsOnExit?: boolean;
}

// Only a shell with a line editor can be seen to stand at its prompt; sh shows at least a terminal where there is none.
const SHELL =
  "command -v bash >/dev/null && exec env PS1='$ ' HISTFILE= bash --norc --noprofile -i; exec env PS1='$ ' sh -i";
/** A pipe in the stage's folder: the stray child waits at it, and ends when the other side is opened and closed. */
export const LEASH = 'leash';
// Leaves its pane's tree as leaked children do.
const STRAY = `(setsid cat @folder/${LEASH} &);`;

/** Everything a newcomer should have seen once: work, waiting, rest, leftovers, leaks, and honest ignorance. */
export const CAST: readonly Part[] = [
  {
    name: 'api-tests',
    program: 'run-tests',
    script: 'n=0; while :; do n=$((n+1)); echo "ok $n - request $n"; sleep 1; done',
  },
  { name: 'billing-agent', script: '@agent working none @folder/billing' },
  { name: 'checkout-agent', script: '@agent waiting permission @folder/checkout' },
  { name: 'design-agent', script: '@agent waiting question @folder/design' },
  { name: 'search-agent', script: '@agent idle none @folder/search' },
  { name: 'import-agent', script: '@agent idle background @folder/import' },
  { name: 'auth-worker', script: `@agent exits none @folder/auth; ${SHELL}` },
  { name: 'cache-worker', script: `${STRAY} @agent exits none @folder/cache; ${SHELL}` },
  { name: 'release-notes', script: 'echo "Done."; exit 0', remainsOnExit: true },
  { name: 'nightly-import', script: 'echo "Out of memory"; exit 137', remainsOnExit: true },
  { name: 'notes', script: SHELL },
  {
    name: 'mystery',
    program: 'mystery-app',
    script:
      "printf '\\033[?1049h\\033[2J  A program that rollcall does not know'; while :; do sleep 60; done",
  },
];

/**
 * The scripted agent: says what it is told to say, in a status file as real agents do, and shows a prompt.
 * Arguments: state, detail, status file.
 */
export const AGENT_SCRIPT = `#!/bin/sh
state=$1 detail=$2 file=$3
[ "$state" = exits ] && { echo "Done."; exit 0; }
echo "$$ $state $detail" > "$file.new" && mv "$file.new" "$file"
printf '\\n  scripted agent: %s %s\\n\\n> ' "$state" "$detail"
while :; do sleep 60; done
`;
