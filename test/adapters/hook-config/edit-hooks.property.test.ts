import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UserFile } from '../../../src/adapters/files/user-file.ts';
import { addHooks, takeOutHooks } from '../../../src/adapters/hook-config/edit-hooks.ts';
import type { JsonHookAgent, WantedHooks } from '../../../src/adapters/hook-config/hook-agents.ts';
import { isCurrent, planJsonFile } from '../../../src/adapters/hook-config/json-plan.ts';
import { readSettings } from '../../../src/adapters/hook-config/settings-text.ts';
import { applyEdits, invertEdits } from '../../../src/adapters/hook-config/text-edit.ts';
import { EVENTS, settingsFile } from './arbitrary-settings.ts';

const wantedBy = (agent: JsonHookAgent): WantedHooks => ({
  agent,
  events: EVENTS[agent],
  stopEvent: agent === 'gemini' ? 'AfterAgent' : 'Stop',
  script: "/home/d'arc/.local/share/rollcall/hook.sh",
});

/** The value as the agent sees it. */
function parsed(text: string, agent: JsonHookAgent): Record<string, unknown> {
  const bare = text.replace(/^\ufeff/, '');
  const isStrict = agent !== 'gemini';
  const plain = isStrict ? bare : bare.replaceAll(' // "remark", {', '').replaceAll(' /* remark ] */', '');
  return plain.trim() === '' ? {} : (JSON.parse(plain) as Record<string, unknown>);
}

function added(text: string, agent: JsonHookAgent) {
  const done = addHooks(text, wantedBy(agent));
  if (done.state !== 'done') throw new Error(`${done.text}\n${text}`);
  return done;
}

function fileOf(text: string | null): UserFile {
  const place = { path: '/f', target: '/f', isLink: false, device: 1, inode: 2, links: 1, modifiedAt: 0 };
  return { state: 'read', text: text ?? '', ...place, mode: 0o644, uid: 0, gid: 0, attributes: new Map() };
}

function planned(plan: ReturnType<typeof planJsonFile>) {
  if (plan.state === 'wrong') throw new Error(plan.problem.text);
  return plan;
}

describe('hooks in any settings file', () => {
  it('can be undone to the byte', () => {
    fc.assert(
      fc.property(settingsFile, ({ agent, text }) => {
        const { text: after, edits } = added(text, agent);
        expect(after).not.toBe(text);
        expect(applyEdits(after, invertEdits(edits))).toBe(text);
      }),
      { numRuns: 150 },
    );
  });

  it('are complete, and everything else says what it said, in the same order', () => {
    fc.assert(
      fc.property(settingsFile, ({ agent, text }) => {
        const { text: after } = added(text, agent);
        const settings = readSettings(after, wantedBy(agent));
        expect(settings.state === 'read' && isCurrent(settings.own, wantedBy(agent))).toBe(true);
        expect(withoutOurs(parsed(after, agent))).toBe(withoutOurs(parsed(text, agent)));
      }),
      { numRuns: 150 },
    );
  });

  it('can be taken out of a file that was changed meanwhile, and of one that nothing is known of', () => {
    fc.assert(
      fc.property(settingsFile, fc.boolean(), ({ agent, text }, isKnown) => {
        const { text: after, kept } = added(text, agent);
        const done = takeOutHooks(after, wantedBy(agent), isKnown ? kept : null);
        if (done.state !== 'done') throw new Error(`${done.text}\n${after}`);
        const taken = parsed(done.text, agent);
        expect(done.text).not.toContain('/rollcall/hook.sh');
        if (isKnown) expect(JSON.stringify(taken)).toBe(JSON.stringify(parsed(text, agent)));
        else expect(withoutOurs(taken)).toBe(withoutOurs(parsed(text, agent)));
      }),
      { numRuns: 150 },
    );
  });

  it('are installed once, and removed to the byte', () => {
    fc.assert(
      fc.property(settingsFile, fc.boolean(), ({ agent, text }, isFirst) => {
        const wanted = wantedBy(agent);
        const old = { ...wanted, script: '/old/rollcall/hook.sh' };
        const first = planned(planJsonFile('install', fileOf(text), isFirst ? wanted : old, null));
        const second = planned(planJsonFile('install', fileOf(first.after), wanted, first.record));
        expect(second.outcome).toBe(isFirst ? 'already-installed' : 'updated');
        if (isFirst) expect(second.after).toBe(first.after);
        const third = planned(planJsonFile('remove', fileOf(second.after), wanted, second.record));
        expect([third.outcome, third.after]).toEqual(['removed', text]);
      }),
      { numRuns: 100 },
    );
  });

  it('keep the line ends and the end of the file', () => {
    fc.assert(
      fc.property(settingsFile, ({ agent, text }) => {
        const { text: after } = added(text, agent);
        if (text.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
        else expect(after).not.toContain('\r\n');
        if (text.trim() !== '') expect(/\s*$/.exec(after)?.[0]).toBe(/\s*$/.exec(text)?.[0]);
      }),
      { numRuns: 100 },
    );
  });
});

/** Lists that are empty without our entries are left out, since nobody can tell who made them. */
function withoutOurs({ hooks, ...others }: Record<string, unknown>): string {
  const events = Object.entries((hooks ?? {}) as Record<string, unknown>).flatMap(([event, list]) => {
    if (!Array.isArray(list)) return [[event, list]];
    const groups = list.filter((group) => !JSON.stringify(group).includes('/rollcall/hook.sh'));
    return groups.length === 0 ? [] : [[event, groups]];
  });
  return JSON.stringify([Object.entries(others), events]);
}
