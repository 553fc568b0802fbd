-- schedule_next: add the next occurrence of a job to those that are due, after the claim of one and before its call.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] zset  {17}:due
-- KEYS[3] hash  {17}:claims:<node>
-- KEYS[4] list  {17}:history:<job>
-- ARGV[1] text  claim
-- ARGV[2] text  moved       the claim's new text when earlier occurrences were missed, else the same as claim
-- ARGV[3] text  revision    that attempts of the job carried when it was claimed
-- ARGV[4] text  nominal     ISO: the occurrence that was claimed
-- ARGV[5] text  next        ISO, '' when there is none; given whatever the count. Of a job with a time zone behind a space the local time
--                           that it stands for, - for none
-- ARGV[6] int   due         epoch ms of next
-- ARGV[7] text  occurrence  number of next, or of what would be next: that of the claimed one where that is not performed. With " last"
--                           the claimed one is the last by count, so that next does not wait. With " overlap=<n>:<epoch ms>", the nominal
--                           instant of moved, executions must not overlap: where one is under way the claimed one waits for its end,
--                           unless n do, or is not performed and leaves its number to next
--                           Why they ride behind a space, as the local time does in next: few jobs have them, and an argument costs each
--                           call about 1 %. Price: each call looks for the two spaces
-- ARGV[8] int   skipped     occurrences missed
-- ARGV[9] text  entry       history entry of those, '' if none
-- ARGV[10] text bounds      of the history
-- derived hash  {17}:executions:<job>, zset {17}:buffered: see overlap; only with " overlap="
-- returns word: SCHEDULED, also to a repeat that finds the claim moved; STALE when the job was changed meanwhile or its next occurrence waits already;
--         LOST when the claim is no longer there. With " overlap=" also BUFFERED, the claim is no longer there; OVERLAP and STALE_OVERLAP: the
--         claimed one is not to be performed, and the claim is as with SCHEDULED and STALE. A repeat finds LOST after BUFFERED
-- cost    O(log n)
-- behind: repair
-- include: checked_call
-- include: history
local job, due, claims, history = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local claim, moved, revision, nominal = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local next_iso, due_at, occurrence, skipped, entry = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8]), ARGV[9]

local options = string.find(occurrence, ' ', 1, true)
local judge, judge_again, buffer -- of a job whose executions must not overlap
if options and string.find(occurrence, ' overlap=', options, true) then
-- include: unclaimed
-- include: overlap
  local room, moved_at = string.match(occurrence, ' overlap=(%d+):(%S+)')
  local executions = executions_of(job)

  function judge()
    local under_way, waiting = other_executions(job, due, revision)
    local begins = under_way == 0 or is_under_way(checked_call('HGET', executions, execution_of(moved)))
    if begins then checked_call('HSET', executions, execution_of(moved), 'calling') end
    return begins and 'SCHEDULED' or #waiting < tonumber(room) and 'BUFFERED' or 'OVERLAP'
  end

  -- A claim that was judged before, by a call whose answer was lost or on a node that died, or whose job was changed since.
  function judge_again(word, attempt, current)
    local begins = is_under_way(checked_call('HGET', executions, execution_of(attempt)))
      or current ~= revision and other_executions(job, due, current) == 0
    if not begins then return word == 'STALE' and 'STALE_OVERLAP' or 'OVERLAP' end
    checked_call('HSET', executions, execution_of(attempt), 'calling')
    return word
  end

  function buffer()
    local attempt = unclaimed(moved)
    checked_call('HSET', executions, execution_of(attempt), attempt)
    checked_call('ZADD', buffered_of(job), moved_at, attempt)
    redis.call('HDEL', claims, moved)
  end
end

local claimed_at = redis.call('HGET', claims, claim)
if not claimed_at then
  if redis.call('HEXISTS', claims, moved) == 1 then return judge_again and judge_again('SCHEDULED', moved, revision) or 'SCHEDULED' end
  return 'LOST'
end
local current = redis.call('HMGET', job, 'revision', 'next', 'openExecutions')
local carried = current[1]
if carried ~= revision then carried = redis.call('HGET', job, 'attemptRevision') or carried end
if carried ~= revision or current[2] ~= nominal then return judge_again and judge_again('STALE', claim, carried) or 'STALE' end
local outcome = judge and judge() or 'SCHEDULED'
local space, local_time = string.find(next_iso, ' ', 1, true), '-'
if space then next_iso, local_time = string.sub(next_iso, 1, space - 1), string.sub(next_iso, space + 1) end
if options then
  local last = string.find(occurrence, ' last', options, true)
  occurrence = string.sub(occurrence, 1, options - 1)
  if outcome == 'OVERLAP' then
    occurrence = string.match(claim, ' occurrence=(%d+)')
  elseif last then
    next_iso, local_time = '', '-'
  end
end
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
if outcome == 'BUFFERED' then buffer() end
return outcome
