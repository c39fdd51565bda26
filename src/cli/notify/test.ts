import { toDocument } from '../../contract/document.ts';
import type { NotifyTestDocument } from '../../contract/notify-schema.ts';
import { EXIT_CODES } from '../../core/exit-codes.ts';
import { NOTIFY_EVENTS, type NotifyRule } from '../../core/notify/rule.ts';
import type { TestedRule } from '../../engine/notify/notify-test.ts';
import { Failure } from '../../operations/failure.ts';
import { defineCommand } from '../frame/command.ts';
import { named } from '../frame/named.ts';
import { chosenWord } from '../frame/session-words.ts';
import { type Line, span } from '../render/line.ts';
import { labelled } from '../render/page.ts';
import { show } from '../render/show.ts';
import { paragraph } from '../render/wrap.ts';

const EXAMPLE = '{ "notify": { "rules": { "desk": { "on": ["waiting", "lost"], "desktop": "on" } } } }';

export const notifyTestCommand = defineCommand({
  name: 'notify test',
  summary: 'Send a test notification through each rule, and say what happened.',
  usage: ['rollcall notify test [RULE…] [flags]'],
  description: [
    'The daemon sends notifications by rules in your own config file. A rule says for which events, where to, and, if you like, only for which sessions. A project file may not have any: a cloned repository must never run a command.',
    `Events: ${NOTIFY_EVENTS.join(', ')}. waiting is for a person (a permission, a question, a plan, a login …), pressure is told when memory gets scarce and when that is over, reaped when the reaper closed a session, close-failed when a completed session could not be closed, servers-lost once for all sessions that went with their tmux server.`,
    `On the desktop: ${EXAMPLE}`,
    'To a command, run without a shell; the notification is JSON on its input, and ROLLCALL_EVENT, ROLLCALL_TITLE, ROLLCALL_TEXT, ROLLCALL_SESSION, ROLLCALL_SESSION_KEY, ROLLCALL_SERVER, ROLLCALL_HOST and ROLLCALL_RULE are in its environment: { "notify": { "rules": { "phone": { "on": ["waiting"], "only": ["crew-*"], "command": ["/usr/local/bin/tell-me", "--loud"], "timeout": "5s" } } } }',
    'To a webhook, as JSON; a token stands as a header in a file that only you can read: { "notify": { "rules": { "chat": { "on": ["breaker-tripped", "pressure"], "webhook": "https://chat.example.org/hooks/rollcall", "headerFile": "/home/ada/.config/rollcall/chat-header" } } } }',
    'The same about the same session is told once until it ends and comes back, and then not within notify.again (10m). A rule sends at most notify.perHour (60); what is more is summed up. A restart of the daemon tells nothing twice.',
  ],
  positional: { ...chosenWord('RULE', [], 'Names of rules; without any, all of them.'), max: 100 },
  examples: {
    'rollcall notify test': 'every rule',
    'rollcall notify test desk': 'one of them',
    "rollcall notify test --json | jq '.rules[] | {name, state}'": 'for programs',
  },
  exits: {
    done: 'every test was sent',
    failed: 'at least one was not',
    usage: 'there are no rules or none of that name, or a broken config file',
  },
  run: async ({ flags, words, surroundings }) => {
    const rules = chosen(surroundings.settings.notify.rules, words);
    const test = await surroundings.notifyTest();
    const tested = await test(rules);
    show({ flags, surroundings }, toNotifyTestDocument(tested), (width) => testedLines(tested, width));
    return tested.every(({ delivery }) => delivery.state === 'sent') ? 0 : EXIT_CODES.failed.code;
  },
});

function chosen(rules: readonly NotifyRule[], words: readonly string[]): readonly NotifyRule[] {
  if (rules.length === 0) {
    throw new Failure('usage', 'there are no notification rules', {
      hint: `write one into your config file, for example ${EXAMPLE}; rollcall help notify test shows more`,
    });
  }
  const names = rules.map(({ name }) => name);
  for (const word of words) named(word, names, `there is no notification rule '${word}'`, 'the rules are');
  return words.length === 0 ? rules : rules.filter(({ name }) => words.includes(name));
}

function testedLines(tested: readonly TestedRule[], width: number | null): Line[] {
  return tested.flatMap(({ rule, delivery }) => {
    const tone = delivery.state === 'sent' ? 'good' : 'warning';
    const body = [span(rule.name, 'heading'), span(` (${rule.sink.kind}): ${delivery.text}`)];
    const hint = hintIn(delivery);
    return [
      ...labelled(delivery.state, body, width, { room: 8, tone }),
      ...(hint === null ? [] : paragraph(hint, width, 8, 'quiet')),
    ];
  });
}

function toNotifyTestDocument(tested: readonly TestedRule[]): NotifyTestDocument {
  return toDocument({
    rules: tested.map(({ rule, delivery, tookMs }) => ({
      name: rule.name,
      on: rule.on,
      to: rule.sink.kind,
      state: delivery.state,
      text: delivery.text,
      hint: hintIn(delivery),
      tookMs,
    })),
  });
}

function hintIn(delivery: TestedRule['delivery']): string | null {
  return delivery.state === 'failed' ? (delivery.hint ?? null) : null;
}
