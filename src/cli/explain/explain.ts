import type { ExplainDocument } from '../../contract/document-schemas.ts';
import { explainedIn, toExplainDocument } from '../../contract/roll-document.ts';
import { findOne } from '../../operations/one-session.ts';
import { atHere } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { isColor } from '../frame/is-color.ts';
import { ONE_SESSION } from '../frame/session-words.ts';
import { throughDaemon } from '../frame/through-daemon.ts';
import { writeJson } from '../frame/write-json.ts';

export const explainCommand = defineCommand({
  name: 'explain',
  summary: 'Show the evidence and the closing checklist of one session.',
  usage: ['rollcall explain SESSION [flags]'],
  description: [
    'Shows everything that led to the verdict on one session: each piece of evidence with its age and source, the closing checklist, the protections, and the processes with their CPU and memory. Looks more thoroughly than the roll does.',
    'Of a session that was closed or has finished it shows when, how its program ended, and the receipt.',
    'A name is always meant exactly, never as a beginning or a pattern. When several sessions have it, they are listed and nothing is chosen.',
  ],
  positional: ONE_SESSION,
  examples: {
    'rollcall explain build': 'by name',
    'rollcall explain work:build': 'the one on the tmux server “work”',
    "rollcall explain '%12'": 'the session that holds a pane',
    'rollcall explain -- -odd-name': 'a name that begins with a dash',
    "rollcall explain build --json | jq '.session.blockers'": 'for programs',
  },
  exits: {
    done: 'the session was explained',
    failed: 'tmux is not installed, or a server that may hold the session is silent',
    usage: 'no name, several names, or a broken config file',
    'not-found': 'no session has this name',
    ambiguous: 'several sessions have this name; they are listed',
  },
  run: async ({ flags, words: [word = ''], surroundings }) => {
    const { stdout } = surroundings;
    const path = `/v1/sessions/${encodeURIComponent(word)}/evidence`;
    // What it does not find is looked for here: whoever is told that there is none should know it first-hand.
    const carried = await throughDaemon(surroundings, flags, path);
    if (carried !== null && flags.json && !stdout.isTTY) {
      stdout.write(carried);
      return 0;
    }
    const { roll, entry } =
      carried === null
        ? await findOne(
            atHere(surroundings, flags),
            { session: word, servers: flags.server },
            { isThorough: true, mayBeGone: true },
          )
        : explainedIn(JSON.parse(carried.toString()) as ExplainDocument);
    if (flags.json) {
      writeJson(stdout, toExplainDocument(roll, entry));
      return 0;
    }
    const { renderExplain } = await import('./render-explain.ts');
    const text = renderExplain(roll, entry, {
      columns: stdout.columns,
      isColor: isColor(flags, surroundings),
      now: surroundings.now(),
    });
    stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    return 0;
  },
});
