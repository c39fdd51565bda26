// Loaded into rollcall before itself (`node --require`): its wall clock was stepped by STEP_MS, as a person or NTP does, and
// PASSED_MS went by on every clock. What others stamped before keeps its time, as it does in a real step.
const fs = require('node:fs');
const { join } = require('node:path');
const { tmpdir } = require('node:os');

const passedMs = Number(process.env.PASSED_MS ?? 0);
const aheadMs = passedMs + Number(process.env.STEP_MS ?? 0);

const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + aheadMs);
    else super(...given);
  }
  static now() {
    return RealDate.now() + aheadMs;
  }
};

const { bigint } = process.hrtime;
process.hrtime.bigint = () => bigint() + BigInt(passedMs) * 1_000_000n;

// The kernel derives the time of the boot from the wall clock as it is now: a step moves it, time that passes does not.
const { openSync } = fs;
fs.openSync = (path, ...rest) => openSync(path === '/proc/stat' ? stepped() : path, ...rest);

function stepped() {
  const path = join(tmpdir(), `stat-${process.pid}`);
  const stepSeconds = Math.round((aheadMs - passedMs) / 1000);
  const text = fs.readFileSync('/proc/stat', 'utf8');
  fs.writeFileSync(
    path,
    text.replace(/^btime (\d+)$/m, (_, at) => `btime ${Number(at) + stepSeconds}`),
  );
  return path;
}
