import type { Plant } from './plant.ts';
import { RECORD_PLANTS } from './record-plants.ts';

const CLOSE = 'src/engine/act/close';

/** Bugs that let rollcall act where it must not. */
const ACT_PLANTS: readonly Plant[] = [
  {
    name: 'tasks-forgotten',
    sentence: 'forgets tasks that an agent has in the background',
    edits: [
      {
        file: 'src/core/checks/nothing-running.ts',
        text: 'const hasTasks = facts.word?.backgroundTasks !== 0;',
        becomes: 'const hasTasks = facts.word === undefined;',
      },
      {
        file: 'src/core/rules/agent-word.ts',
        text: 'if (backgroundTasks !== 0) {',
        becomes: 'if (backgroundTasks === null) {',
      },
    ],
    breaks: ['no-close-at-work'],
  },
  {
    name: 'draft-unseen',
    sentence: 'takes every input box for an empty one',
    edits: [
      {
        file: 'src/core/checks/nothing-unsent.ts',
        text: 'const drafts = facts.panes.map(draft);',
        becomes:
          "const drafts = facts.panes.map((pane) => (draft(pane) === 'present' ? 'none' : draft(pane)));",
      },
      {
        file: 'src/core/close/ladder.ts',
        text: "return word.hasDraft === false ? null : 'the input may hold a draft';",
        becomes: 'return null;',
      },
    ],
    breaks: ['no-close-with-draft'],
  },
  {
    name: 'left-is-away',
    sentence: 'forgets people as soon as they have left',
    edits: [
      {
        file: 'src/core/verdict/protections.ts',
        text: 'if (people.awayMs !== undefined) return people.awayMs;',
        becomes: 'if (people.awayMs !== undefined) return Number.POSITIVE_INFINITY;',
      },
    ],
    breaks: ['no-close-with-people'],
  },
  {
    name: 'hold-ignored',
    sentence: 'closes what is held',
    edits: [
      {
        file: 'src/core/verdict/protections.ts',
        text: "if (held) keep('held'",
        becomes: "if (held && false) keep('held'",
      },
      {
        file: 'src/core/close/guard.ts',
        text: "if (held && !waived.has('held'))",
        becomes: "if (held && false && !waived.has('held'))",
      },
      {
        file: 'src/engine/act/declare-standing.ts',
        text: '  await hands.tmux.markHeld(target, hands.now());\n',
        becomes: '',
      },
      {
        file: 'src/engine/act/declare-standing.ts',
        text: 'isHeld ? hands.now() : null',
        becomes: 'null',
      },
    ],
    breaks: ['answered-holds'],
  },
  {
    name: 'everybody-is-cared-for',
    sentence: 'takes every session for one in its care',
    edits: [
      {
        file: 'src/core/verdict/protections.ts',
        text: 'if (!standing?.isManaged) {',
        becomes: 'if (standing?.isManaged === null) {',
      },
    ],
    breaks: ['bystander'],
  },
  {
    name: 'child-is-helper',
    sentence: 'takes everything below an agent for a helper, also what was detached, and ends it',
    edits: [
      {
        file: 'src/core/checks/nothing-running.ts',
        text: "if (at.helper === 'browser' || (at === note && at.helper !== undefined)) return true;",
        becomes: "if (at.helper === 'browser' || at === note) return true;",
      },
      {
        file: 'src/core/close/listing.ts',
        text: 'return note === agent || launchers.includes(note) || note.helper !== undefined;',
        becomes: "return note === agent || launchers.includes(note) || note.relation !== 'root';",
      },
    ],
    breaks: ['detached-lives-on'],
  },
  {
    name: 'newcomers-swept',
    sentence: 'ends what began during the close, which nobody judged',
    edits: [
      {
        file: `${CLOSE}/sweep.ts`,
        text: '  let left: Survivor[] = [];\n',
        becomes: '  found.push(...later);\n  let left: Survivor[] = [];\n',
      },
    ],
    breaks: ['right-identity', 'intent-first'],
  },
  {
    name: 'rest-wins',
    sentence: 'believes one source that tells of rest against another that tells of work',
    edits: [
      {
        file: 'src/core/agent/fuse.ts',
        text: '  if (running) return over ? { decisive: running, opposed: over } : { decisive: running };\n',
        becomes: '  if (running && !over) return { decisive: running };\n',
      },
    ],
    breaks: ['blind-does-nothing', 'no-close-at-work'],
  },
  {
    name: 'unsaved-is-saved',
    sentence: 'takes uncommitted work for saved',
    edits: [
      {
        file: 'src/core/checks/work-saved.ts',
        text: '  if (lacking.length > 0) return unmet(inShort(lacking));\n',
        becomes: '',
      },
    ],
    breaks: ['no-automatic-close-of-unfinished'],
  },
];

/** Every planted bug. */
export const PLANTS: readonly Plant[] = [...ACT_PLANTS, ...RECORD_PLANTS];
