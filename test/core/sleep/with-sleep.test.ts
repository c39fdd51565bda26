import { expect, it } from 'vitest';
import { readKept } from '../../../src/core/close/kept-document.ts';
import * as sleep from '../../../src/core/sleep/sleep-document.ts';

const agent = { kind: 'claude', conversation: 'c-1' };
const before = { agent, panes: [{ paneId: '%1', agent }, { paneId: '%2', agent: null }, 'odd'] };
const sleeps = (paneId: string, document: object = before) => ({
  ...{ receipt: 'r-1', paneId, document: readKept(document) },
});
const withSleep = (document: object, kept: sleep.KeptSleep) => sleep.withSleep(readKept(document), kept);
const seenAsleep = (document: object, kept: sleep.KeptSleep) => sleep.seenAsleep(readKept(document), kept);

it('the document of a session has the agent that sleeps in its pane, and not its sleeper', () => {
  const plain = { paneId: '%2', agent: null, processes: [{ pid: 8 }] };
  const document = { key: 'k', panes: [{ paneId: '%1', agent: null, processes: [{ pid: 7 }] }, plain, 3] };
  expect(withSleep(document, sleeps('%1'))).toEqual(
    readKept({ key: 'k', agent, panes: [{ paneId: '%1', agent, processes: [] }, plain] }),
  );
});

it('a pane in which somebody started another agent has that one, and so has the session', () => {
  const other = { kind: 'codex', conversation: 'x-1' };
  const document = { agent: other, panes: [{ paneId: '%1', agent: other, processes: [] }] };
  expect(withSleep(document, sleeps('%1'))).toEqual(readKept(document));
});

it('an archive that names no agent, or of several in other panes, says nothing', () => {
  const two = {
    panes: [
      { paneId: '%1', agent },
      { paneId: '%2', agent },
    ],
  };
  expect(withSleep({ panes: [] }, sleeps('%9', two))).toBeNull();
  expect(withSleep({ panes: [] }, sleeps('%2', two))).not.toBeNull();
  expect(withSleep({}, sleeps('%1', {}))).toBeNull();
  expect(withSleep({}, sleeps('%1', { panes: [{ paneId: '%1', agent: null }] }))).toBeNull();
});

it('one that was made again asleep was archived in another session, whose pane had another id', () => {
  const document = { panes: [{ paneId: '%9', agent: null }] };
  expect(withSleep(document, sleeps('%9'))).toMatchObject({ panes: [{ paneId: '%9', agent }] });
});

it('a document without an agent of its own stays without one where the archive has none either', () => {
  const document = { panes: [{ paneId: '%1' }] };
  expect(withSleep(document, sleeps('%1', { panes: [{ paneId: '%1', agent }] }))).toEqual(
    readKept({ agent: null, panes: [{ paneId: '%1', agent, processes: [] }] }),
  );
});

it('of several agents in an archive the one that it names sleeps, whatever ids their panes had', () => {
  const other = { kind: 'claude', conversation: 'c-2' };
  const two = {
    agent,
    panes: [
      { paneId: '%9', agent: other },
      { paneId: '%1', agent },
    ],
  };
  const document = { panes: [{ paneId: '%9', agent: null }] };
  expect(withSleep(document, sleeps('%9', two))).toMatchObject({ panes: [{ paneId: '%9', agent }] });
});

it('a session that was seen since has its other panes as they were seen, and the agent in its own', () => {
  const later = { paneId: '%3', agent: { kind: 'claude', conversation: 'c-3' } };
  const document = {
    more: 's',
    panes: [{ paneId: '%1', agent: null, processes: [{ pid: 7 }] }, later, 4],
  };
  expect(seenAsleep(document, sleeps('%1'))).toEqual(
    readKept({ more: 's', panes: [{ paneId: '%1', agent, processes: [] }, later] }),
  );
});

it('another agent that was started in the pane of the sleeper is told of beside it; the same one is not', () => {
  const pane = { paneId: '%1', agent: { kind: 'codex', conversation: 'x-1' }, processes: [{ pid: 7 }] };
  const slept = { paneId: '%1', agent, processes: [] };
  expect(seenAsleep({ panes: [pane] }, sleeps('%1'))).toEqual(readKept({ panes: [slept, pane] }));
  expect(seenAsleep({ panes: [{ ...pane, agent }] }, sleeps('%1'))).toEqual(readKept({ panes: [slept] }));
});

it('a session that was seen without the pane of the sleeper does not have the agent', () => {
  expect(seenAsleep({ panes: [{ paneId: '%2' }] }, sleeps('%1'))).toBeNull();
  expect(seenAsleep({ panes: [{ paneId: '%1' }] }, sleeps('%1', {}))).toBeNull();
});
