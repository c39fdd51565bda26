import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { until } from '../../support/until.ts';
import { agentPid, type Member, NOWHERE, target } from './member.ts';
import { isSame, running } from './processes.ts';
import type { Room } from './room.ts';
import type { Spec } from './spec.ts';

const SHELL = ['env', 'PS1=$ ', 'HISTFILE=', 'bash', '--norc', '--noprofile', '-i'];
const SIZE = ['-x', '120', '-y', '30'];
/** What somebody has typed and not sent. */
export const DRAFT = 'my own words';

/** Labels of a batch's servers. */
export const labelOf = (server: number) => `s${server}`;

/** Makes all sessions of a batch, each as its spec says, and waits until they are so. */
export async function setUp(room: Room, specs: readonly Spec[]): Promise<Member[]> {
  const members: Member[] = [];
  const labels = [...new Set(specs.map(({ server }) => labelOf(server)))];
  for (const label of labels) members.push(...(await makeOn(room, label, specs)));
  await inParts(members, (member) => untilReady(room, member));
  // An agent has ended only where it was seen before.
  if (specs.some(({ program }) => program === 'ended')) await room.ask('roll');
  await inParts(members, (member) => dress(room, member));
  const { document } = await room.ask('roll');
  for (const member of members) {
    member.key = document.sessions.find(
      (one: { readonly server: { readonly label: string }; readonly sessionId: string }) =>
        one.server.label === member.label && one.sessionId === member.sessionId,
    ).key;
  }
  await inParts(members, (member) => declare(room, member));
  return members;
}

/** As many at the same time as gain something. */
export async function inParts<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const open = [...all].reverse();
  const job = async () => {
    for (let one = open.pop(); one !== undefined; one = open.pop()) await work(one);
  };
  await Promise.all([job(), job(), job(), job()]);
}

// All of a server in one call of tmux; those that rollcall starts, by the library.
async function makeOn(room: Room, label: string, specs: readonly Spec[]): Promise<Member[]> {
  const found = specs.map((spec, index) => ({
    ...{ spec, label, key: '', before: NOWHERE },
    cwd: join(room.folder, 'trees', spec.tree),
    // Of no other batch of this world.
    conversation: `talk-${basename(room.folder)}-${index}`,
    file: join(room.folder, 'agents', String(index)),
  }));
  const all = found.filter(({ spec }) => labelOf(spec.server) === label);
  const plain = all.filter(({ spec }) => spec.care !== 'run');
  const commands = plain.flatMap(({ spec, cwd, conversation, file }) => [
    [
      ...['new-session', '-d', ...SIZE, '-P', '-F', '#{session_id} #{pane_id}', '-c', cwd],
      ...['-s', spec.name.replaceAll('#', '##'), ...programOf(spec, conversation, file)],
    ],
    ...(spec.program === 'dead' ? [['set-option', '-w', 'remain-on-exit', 'on']] : []),
  ]);
  const lines = plain.length === 0 ? [] : (await room.tmux(label, ...commands)).split('\n');
  const members: Member[] = plain.map((one, index) => {
    const [sessionId = '', paneId = ''] = (lines[index] ?? '').split(' ');
    return { ...one, sessionId, paneId };
  });
  for (const one of all.filter(({ spec }) => spec.care === 'run')) {
    const { spec, cwd, conversation, file } = one;
    const { code, text, document } = await room.ask('run', {
      ...{ program: programOf(spec, conversation, file), name: spec.name, cwd, role: spec.role },
      server: room.socket(label),
      ...(spec.program === 'dead' && { remain: true }),
    });
    if (code !== 'done') throw new Error(`run ${spec.name}: ${text}`);
    const { key, sessionId, panes } = document;
    members.push({ ...one, sessionId, paneId: panes[0].paneId, key });
  }
  return members;
}

function programOf(spec: Spec, conversation: string, file: string): string[] {
  if (spec.program === 'shell') return SHELL;
  if (spec.program === 'job') return ['sleep', '100000'];
  if (spec.program === 'dead') return ['sh', '-c', `read go; echo ${conversation}; exit ${spec.status}`];
  const argv = [process.env.ROLLCALL_SCRIPTED_AGENT ?? '', `${spec.manner}+${spec.mood}`, conversation, file];
  return spec.hasShell ? ['sh', '-c', `${argv.join(' ')}; PS1='$ ' exec bash --norc --noprofile -i`] : argv;
}

async function untilReady(room: Room, member: Member): Promise<void> {
  const { program } = member.spec;
  if (program === 'agent' || program === 'ended')
    await until(`${member.conversation} speaks`, () => existsSync(member.file));
  if (program === 'shell') await untilPrompt(room, member, member.paneId);
}

export async function untilPrompt(room: Room, { label }: Member, paneId: string): Promise<void> {
  const shown = () => room.tmux(label, ['capture-pane', '-p', '-t', paneId]);
  await until('a shell is at its prompt', shown, (text) => /\$ ?$/.test(text.trimEnd()));
}

/** Everything about it that is not its program. */
async function dress(room: Room, member: Member): Promise<void> {
  const { label, spec, paneId, cwd } = member;
  const tmux = (...command: string[]) => room.tmux(label, command);
  if (spec.program === 'ended') {
    const pid = agentPid(member.file);
    const agent = running().find((one) => one.pid === pid);
    await tmux('send-keys', '-t', paneId, '/exit', 'Enter');
    await until('its agent has left', () => agent !== undefined && !isSame(agent));
    await untilPrompt(room, member, paneId);
  }
  if (spec.program === 'dead') {
    await tmux('send-keys', '-t', paneId, 'Enter');
    await until(
      'its program has ended',
      () =>
        room.tmux(
          label,
          ['run-shell', '-b', 'true'],
          ['display-message', '-p', '-t', paneId, '#{pane_dead_status}'],
        ),
      (status) => status === String(spec.status),
    );
  }
  if (spec.mood === 'drafted') {
    await tmux('send-keys', '-t', paneId, '-l', DRAFT);
    await until(
      'it shows',
      () => tmux('capture-pane', '-p', '-t', paneId),
      (text) => text.includes(DRAFT),
    );
  }
  const beside = ['-d', '-P', '-F', '#{pane_id}', '-c', cwd, '-t', target(member)];
  if (spec.extra === 'work') await tmux('split-window', ...beside, 'sleep', '100000');
  if (spec.extra === 'shell')
    await untilPrompt(room, member, await tmux('split-window', ...beside, ...SHELL));
  if (spec.extra === 'window') await untilPrompt(room, member, await tmux('new-window', ...beside, ...SHELL));
  if (spec.isGrouped)
    await tmux('new-session', '-d', '-t', member.sessionId, '-s', `too-${member.conversation}`);
  if (spec.people === 'reading') await tmux('copy-mode', '-t', paneId);
  if (spec.people === 'attached' || spec.people === 'left') await attach(room, member);
  if (spec.people === 'left') {
    await tmux('detach-client', '-s', member.sessionId);
    const clients = () => tmux('list-clients', '-t', member.sessionId);
    await until('nobody is there', clients, (text) => text === '');
  }
}

/** A person at a terminal of their own, a pane of a server that rollcall does not see; false where it is gone. */
export async function attach(room: Room, { label, sessionId }: Member): Promise<boolean> {
  const client = `unset TMUX TMUX_PANE; exec tmux -u -S ${room.socket(label)} attach -t '${sessionId}'`;
  await room.sh(
    `echo set -g exit-empty off > desk.conf; tmux -u -S desk -f desk.conf new-session -d -x 100 -y 28 "${client.replaceAll('$', '\\$')}"`,
  );
  const clients = () => room.tryTmux(label, ['list-clients', '-t', sessionId, '-F', '#{client_pid}']);
  return (await until('somebody is attached', clients, (text) => text !== '')) !== null;
}

async function declare(room: Room, { spec, key, label }: Member): Promise<void> {
  const must = async (name: 'adopt' | 'hold' | 'retain' | 'complete', input: object = {}) => {
    const { code, text } = await room.ask(name as 'hold', {
      session: key,
      servers: [room.socket(label)],
      ...input,
    });
    // Requirements that are not met: the completion is recorded, and not accepted.
    if (code !== 'done' && !(name === 'complete' && code === 'refused')) throw new Error(`${name}: ${text}`);
  };
  if (spec.care === 'adopted') await must('adopt', { role: spec.role });
  if (spec.outcome !== 'none') await must('complete', { outcome: spec.outcome });
  if (spec.wish === 'hold') await must('hold', { reason: 'mine' });
  if (spec.wish === 'retain') await must('retain', { forMs: 6 * 3_600_000 });
}
