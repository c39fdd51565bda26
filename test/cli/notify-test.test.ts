import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configDocumentSchema } from '../../src/contract/document-schemas.ts';
import { notifyTestDocumentSchema } from '../../src/contract/notify-schema.ts';
import { createNotifyTest } from '../../src/engine/notify/notify-test.ts';
import type { SendNotification } from '../../src/ports/notify.ts';
import { ProjectTree } from '../config/project-tree.ts';
import { run } from './fake-outside.ts';

let tree: ProjectTree;
beforeEach(() => {
  tree = new ProjectTree();
  tree.userFile({
    notify: {
      rules: {
        desk: { on: ['waiting', 'lost'], desktop: 'on' },
        chat: { on: ['pressure'], webhook: 'https://example.org/s3cret' },
      },
    },
  });
});
afterEach(() => tree.remove());

const tried: string[] = [];
const send: SendNotification = async ({ name }, notification) => {
  tried.push(`${name} ${notification.event} ${notification.host}`);
  return name === 'desk'
    ? { state: 'failed', text: 'there is no notify-send on PATH', hint: 'install it' }
    : { state: 'sent', text: 'https://example.org answered 200' };
};

function call(...words: string[]) {
  tried.length = 0;
  const notifyTest = async () => createNotifyTest(send, 'workshop', () => 1);
  return run(['notify', 'test', ...words], { env: tree.env, cwd: tree.home, notifyTest });
}

describe('rollcall notify test', () => {
  it('tries every rule, says what happened to each, and fails if one did', async () => {
    expect(await call()).toMatchObject({
      exitCode: 1,
      stdout: [
        'failed  desk (desktop): there is no notify-send on PATH',
        '        install it',
        'sent    chat (webhook): https://example.org answered 200',
        '',
      ].join('\n'),
    });
    expect(tried).toEqual(['desk test workshop', 'chat test workshop']);
  });

  it('tries only the rules that are named', async () => {
    expect(await call('chat')).toMatchObject({
      exitCode: 0,
      stdout: 'sent    chat (webhook): https://example.org answered 200\n',
    });
    expect(tried).toEqual(['chat test workshop']);
  });

  it('is a document under --json', async () => {
    const { exitCode, stdout } = await call('--json');
    expect(exitCode).toBe(1);
    expect(v.parse(notifyTestDocumentSchema, JSON.parse(stdout)).rules).toMatchObject([
      { name: 'desk', on: ['waiting', 'lost'], to: 'desktop', state: 'failed', hint: 'install it' },
      { name: 'chat', on: ['pressure'], to: 'webhook', state: 'sent', hint: null },
    ]);
    expect(stdout).not.toContain('s3cret');
  });

  it('says which rules there are when one is unknown', async () => {
    expect(await call('chta')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('did you mean chat?'),
    });
    expect(await call('zzzzzz')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('the rules are desk, chat'),
    });
    expect(tried).toEqual([]);
  });

  it('says how to write a rule when there is none', async () => {
    tree.userFile({});
    const { exitCode, stderr } = await call();
    expect(exitCode).toBe(2);
    expect(stderr).toContain('there are no notification rules');
    expect(stderr).toContain('{ "notify": { "rules": { "desk": ');
  });
});

describe('rollcall config explain', () => {
  it('shows the rules, and of a webhook only its host', async () => {
    const shown = await run(['config', 'explain'], { env: tree.env, cwd: tree.home });
    expect(shown.stdout).toContain('notify.rules.desk.desktop = on  from ');
    expect(shown.stdout).toContain('notify.rules.chat.webhook = https://example.org/…  from ');
    expect(shown.stdout).not.toContain('s3cret');
    const { stdout } = await run(['config', 'explain', '--json'], { env: tree.env, cwd: tree.home });
    const { settings } = v.parse(configDocumentSchema, JSON.parse(stdout));
    expect(settings.find(({ key }) => key === 'notify.rules.desk.on')?.value).toEqual(['waiting', 'lost']);
  });
});
