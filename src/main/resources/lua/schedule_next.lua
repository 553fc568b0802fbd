-- schedule_next: add the next occurrence of a job to those that are due, after the claim of one and before its call.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] zset  {17}:due
-- KEYS[3] hash  {17}:claims:<node>
-- KEYS[4] list  {17}:history:<job>
-- ARGV[1] text  claim
-- ARGV[2] text  moved       the claim's new text when earlier occurrences were missed, else the same as claim
-- ARGV[3] text  revision    of the job as claimed
-- ARGV[4] text  nominal     ISO: the occurrence that was claimed
-- ARGV[5] text  next        ISO, '' when there is none; given whatever the count. Of a job with a time zone behind a space the local time
--                           that it stands for, - for none
-- ARGV[6] int   due         epoch ms of next
-- ARGV[7] text  occurrence  number of next, or of what would be next: that of the claimed one where that is not performed. With " last"
--                           the claimed one is the last by count, so that next does not wait
-- ARGV[8] int   skipped     occurrences missed
-- ARGV[9] text  entry       history entry of those, '' if none
-- ARGV[10] text bounds      of the history
-- returns word: SCHEDULED, also to a repeat that finds the claim moved; STALE when the job was changed meanwhile or its next occurrence waits already;
--         LOST when the claim is no longer held
-- cost    O(log n)
-- behind: repair
-- include: checked_call
-- include: history
local job, due, claims, history = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local claim, moved, revision, nominal = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local next_iso, due_at, occurrence, skipped, entry = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8]), ARGV[9]

local claimed_at = redis.call('HGET', claims, claim)
if not claimed_at then
  return redis.call('HEXISTS', claims, moved) == 1 and 'SCHEDULED' or 'LOST'
end
local current = redis.call('HMGET', job, 'revision', 'next', 'openExecutions')
if current[1] ~= revision or current[2] ~= nominal then return 'STALE' end
local space, local_time = string.find(next_iso, ' ', 1, true), '-'
if space then next_iso, local_time = string.sub(next_iso, 1, space - 1), string.sub(next_iso, space + 1) end
local last = string.find(occurrence, ' last', 1, true)
if last then occurrence, next_iso, local_time = string.sub(occurrence, 1, last - 1), '', '-' end
-- First what may fail and can be repeated.
if next_iso ~= '' then redis.call('ZADD', due, due_at, 'job:' .. string.match(claim, '^run:(%S+)')) end
if moved ~= claim then
  redis.call('HDEL', claims, claim)
  redis.call('HSET', claims, moved, claimed_at)
end
local fields = {}
if skipped > 0 then
  local counted = redis.call('HMGET', job, 'skipped', 'latest', 'historyBytes')
  fields = {'skipped', (tonumber(counted[1]) or 0) + skipped}
  append_history(history, counted[2], counted[3], entry, ARGV[10], fields)
end
if local_time ~= '-' then
  fields[#fields + 1] = 'local'
  fields[#fields + 1] = local_time
elseif space then
  redis.call('HDEL', job, 'local')
end
-- What was begun last, and how many were: a change of the job goes on from there.
local claimed = string.match(moved, ' at=(%S+)')
local open = (tonumber(current[3]) or 0) + 1 -- it is no longer the execution of next, see finish
if next_iso ~= '' then
  redis.call('HSET', job, 'next', next_iso, 'occurrence', occurrence, 'claimedOccurrence', claimed, 'openExecutions', open, unpack(fields))
else
  redis.call('HDEL', job, 'next')
  redis.call('HSET', job, 'lastOccurrenceTaken', 1, 'occurrence', occurrence, 'claimedOccurrence', claimed, 'openExecutions', open, unpack(fields))
end
return 'SCHEDULED'
