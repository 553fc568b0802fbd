// What people write and the API reads: spans of time as "20 s", instants by the clocks of a zone. Pure.

const UNITS = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1000], ['ms', 1]];
const ISO = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/i;
const WRITTEN = /^(?:(\d+)\s*d(?:ays?)?)?\s*(?:(\d+)\s*h(?:ours?)?)?\s*(?:(\d+)\s*m(?:in(?:utes?)?)?)?\s*(?:(\d+(?:\.\d{1,3})?)\s*s(?:ec(?:onds?)?)?)?\s*(?:(\d+)\s*ms)?$/i;

/** Milliseconds of "30s", "5 min", "1h30m" or "PT20S"; undefined for what is none of these. */
export function millis(text) {
  const match = /\d/.test(text) ? ISO.exec(text.trim()) ?? WRITTEN.exec(text.trim()) : undefined;
  return match ? Math.round(UNITS.reduce((sum, [, size], i) => sum + Number(match[i + 1] ?? 0) * size, 0)) : undefined;
}

/** "1 h 30 min" of what the API answers, PT1H30M; what is no such span stays as it is. */
export function spanText(value) {
  let left = millis(String(value));
  if (left === undefined) return String(value);
  const parts = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    if (count > 0) parts.push(`${count} ${unit}`);
    left -= count * size;
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

/** PT1H30M of "1 h 30 min"; what is no span stays as it is, for the server to refuse. */
export function spanValue(text) {
  const ms = millis(text);
  if (ms === undefined) return text;
  const [days, rest] = [Math.floor(ms / 86_400_000), ms % 86_400_000];
  const time = [[Math.floor(rest / 3_600_000), 'H'], [Math.floor(rest / 60_000) % 60, 'M'], [rest % 60_000 / 1000, 'S']].filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`).join('');
  return `P${days > 0 ? `${days}D` : ''}${time !== '' ? `T${time}` : days > 0 ? '' : 'T0S'}`;
}

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/;

/** An instant, or a local time, as the clocks of a zone show it and a field for date and time takes it; undefined for anything else. */
export function clockTime(text, zone) {
  if (LOCAL.test(text)) return text;
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/.test(text) || Number.isNaN(at.getTime())) return undefined;
  try {
    const shown = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' });
    const { year, month, day, hour, minute, second } = Object.fromEntries(shown.formatToParts(at).map(({ type, value }) => [type, value]));
    const ms = at.getUTCMilliseconds();
    return `${year}-${month}-${day}T${hour}:${minute}${second === '00' && ms === 0 ? '' : `:${second}`}${ms === 0 ? '' : `.${String(ms).padStart(3, '0')}`}`;
  } catch {
    return undefined; // no such zone, or none that this browser knows
  }
}

/** What the API is told of a time that was picked: local where the job has a zone, else in UTC. */
export const clockValue = (picked, hasZone) => `${picked.length === 16 ? `${picked}:00` : picked}${hasZone ? '' : 'Z'}`;
