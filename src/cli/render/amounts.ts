const UNITS = ['K', 'M', 'G', 'T', 'P'] as const;

/** A duration in one unit, as short as it can be said: 3s, 12m, 2h, 4d. */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (!Number.isFinite(seconds)) return '?';
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** How long ago something was. A stamp from the future (a stepped clock, another host's clock) is shown as such. */
export function age(at: number, now: number): string {
  const ms = now - at;
  if (ms < -1000) return `${shortDuration(-ms)} ahead`;
  return ms < 1000 ? 'now' : `${shortDuration(ms)} ago`;
}

/** The clock on the wall of whoever reads it; epoch stamps are for --json. */
export function localTime(at: number): string {
  const date = new Date(at);
  const two = (amount: number) => String(amount).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A size in a few cells: 812K, 34M, 1.2G. */
export function shortBytes(bytes: number): string {
  const { amount, unit } = scaled(bytes);
  return `${amount}${unit}`;
}

/** A size in full words: 34 MiB, 1.2 GiB. */
export function longBytes(bytes: number): string {
  const { amount, unit } = scaled(bytes);
  return unit === 'B' ? `${amount} bytes` : `${amount} ${unit}iB`;
}

/** A part of a whole, both in the unit of the whole: 14.2 of 23.4 GiB. */
export function partOf(bytes: number, totalBytes: number): string {
  const power = UNITS.findIndex((_, index) => totalBytes < 1023.5 * 1024 ** (index + 1));
  const exponent = (power === -1 ? UNITS.length - 1 : power) + 1;
  const say = (amount: number) => (amount / 1024 ** exponent).toFixed(1);
  return `${say(bytes)} of ${say(totalBytes)} ${UNITS[exponent - 1]}iB`;
}

// A tenth is only worth a cell below ten: 9.8G, but 14G.
function scaled(bytes: number): { amount: string; unit: string } {
  let amount = Math.max(0, bytes);
  let unit = 'B';
  for (const larger of UNITS) {
    if (amount < 1023.5) break;
    amount /= 1024;
    unit = larger;
  }
  const isWhole = unit === 'B' || amount >= 9.95;
  return { amount: isWhole ? String(Math.round(amount)) : amount.toFixed(1), unit };
}
