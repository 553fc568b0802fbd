// How values are told: times, spans, sizes, numbers. Everything here returns text. Times are by
// the clocks that the viewer has chosen.

import { reading, zoneName } from './zone.js';

const NUMBER = new Intl.NumberFormat('en');
const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/** "1,234"; what has no more than three digits needs no format, which is dear. */
export const number = value => Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : NUMBER.format(value);

/** "1 job", "2 jobs". */
export const counted = (count, one, many = one + 's') => `${number(count)} ${count === 1 ? one : many}`;

/** An instant as "2026-12-01 08:00:00", with milliseconds where they are asked for. */
export function moment(instant, millis = false) {
  const text = reading(instant);
  return millis ? `${text}.${String(new Date(instant).getUTCMilliseconds()).padStart(3, '0')}` : text;
}

/** The same with the name of the zone: what a time that is told in short has to hover over. */
export const inFull = instant => `${moment(instant)} ${zoneName(instant)}`;

/** The time of day, "08:00". */
export const clock = instant => moment(instant).slice(11, 16);

/** A span of ms: "12 ms", "1.4 s", "3 min 5 s", "2 h 10 min", "4 d 3 h". */
export function span(ms) {
  const size = Math.abs(ms);
  if (size < SECOND) return `${Math.round(ms)} ms`;
  if (size < 10 * SECOND) return `${(ms / SECOND).toFixed(1)} s`;
  if (size < MINUTE) return `${Math.round(ms / SECOND)} s`;
  if (size < HOUR) return two(ms, MINUTE, 'min', SECOND, 's');
  if (size < DAY) return two(ms, HOUR, 'h', MINUTE, 'min');
  return two(ms, DAY, 'd', HOUR, 'h');
}

function two(ms, big, bigName, small, smallName) {
  const whole = Math.trunc(ms / big);
  const rest = Math.trunc(Math.abs(ms % big) / small);
  return rest === 0 || whole >= 10 ? `${whole} ${bigName}` : `${whole} ${bigName} ${rest} ${smallName}`;
}

/** How far an instant is from now: "in 5 min", "3 s ago". */
export function relative(instant, now = Date.now()) {
  const ms = new Date(instant).getTime() - now;
  if (Math.abs(ms) < SECOND) return 'now';
  return ms > 0 ? `in ${span(ms)}` : `${span(-ms)} ago`;
}

/** A number of bytes: "12.3 MiB". */
export function bytes(size) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let i = 0;
  while (size >= 1024 && i < units.length - 1) { size /= 1024; i++; }
  return `${i === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[i]}`;
}

/** What an action reaches: "POST https://example.org/hook", "stream ticks". */
export function target(action) {
  switch (action.type) {
    case 'http':
    case 'https': return `${action.request.method.toUpperCase()} ${action.request.uri}`;
    case 'storageQueue': return `storage queue ${action.queueMessage.storageAccount}/${action.queueMessage.queueName}`;
    case 'serviceBusQueue': return `queue ${action.serviceBusQueueMessage.namespace}/${action.serviceBusQueueMessage.queueName}`;
    case 'serviceBusTopic': return `topic ${action.serviceBusTopicMessage.namespace}/${action.serviceBusTopicMessage.topicPath}`;
    case 'redisStream': return `stream ${action.redisStream.stream}`;
    case 'redisList': return `list ${action.redisList.list}`;
    default: return action.type;
  }
}
