// A host that answers with what it is asked, and waits for ever where it is asked about `dead`: as in a call that never returns,
// nothing else in it goes on.
process.on('disconnect', () => process.exit());
process.on('message', (said) => {
  if (said.kind === 'ping') process.send({ kind: 'pong' });
  if (said.kind !== 'question') return;
  if (said.words[0] === 'dead') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  process.send({ kind: 'answer', id: said.id, value: said.words[0] });
});
