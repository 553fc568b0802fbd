-- schedule_next: add the next occurrence of a job to the due entries, after the claim of one and before its call.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] zset  {17}:due
-- KEYS[3] hash  {17}:claims:<node>
-- KEYS[4] list  {17}:history:<job>
-- ARGV[1] text  claim
-- ARGV[2] text  moved       the claim's new text if earlier occurrences were missed, else the same as claim
-- ARGV[3] text  revision    that attempts of the job carried when it was claimed
-- ARGV[4] text  nominal     ISO: the claimed occurrence
-- ARGV[5] text  next        ISO, '' if there is none; given regardless of the count
-- ARGV[6] int   due         epoch ms of next
-- ARGV[7] int   occurrence  number of next, or of a possible next: that of the claimed one if it is not performed
-- ARGV[8] int   skipped     number of missed occurrences
-- ARGV[9] text  entry       history entry of the missed occurrences, '' if none
-- ARGV[10] text bounds      of the history
-- Options, each '' for none. Few jobs have them, and an argument costs each call about 1 %: the caller omits those after the last one it gives.
-- ARGV[11] text local       local time of next for a job with a time zone, - if next has none
-- ARGV[12] text last        "last" if the claimed occurrence is the last by count, so that next does not wait
-- ARGV[13] int  room        executions must not overlap. If one is under way, the claimed one waits for its end. If this number already
--                           waits, the claimed one is not performed and leaves its number to next
-- ARGV[14] int  movedAt     only with room: nominal instant of moved in epoch ms
-- derived hash  {17}:executions:<job>, zset {17}:list:execution: see overlap; only with room
-- returns word: SCHEDULED, also for a repeat that finds the claim moved; STALE if the job was changed since or its next occurrence already waits;
--         LOST if the claim no longer exists. With room also BUFFERED: the claim is removed; OVERLAP and STALE_OVERLAP: the
--         claimed one must not be performed, and the claim is as for SCHEDULED and STALE. A repeat finds LOST after BUFFERED
-- cost    O(log n)
-- behind: repair
-- include: checked_call
-- include: history
local job, due, claims, history = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local claim, moved, revision, nominal = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local next_iso, due_at, occurrence, skipped, entry = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8]), ARGV[9]
local local_time, is_last, room, moved_at = ARGV[11] or '', ARGV[12] == 'last', tonumber(ARGV[13] or ''), ARGV[14]

local judge, judge_again, buffer -- for a job whose executions must not overlap
if room then
-- include: unclaimed
-- include: overlap
  local executions = executions_of(job)

  function judge()
    local under_way, waiting = other_executions(job, due, revision)
    local begins = under_way == 0 or is_under_way(checked_call('HGET', executions, execution_of(moved)))
    if begins then checked_call('HSET', executions, execution_of(moved), 'calling') end
    return begins and 'SCHEDULED' or #waiting < room and 'BUFFERED' or 'OVERLAP'
  end

  -- Judges a claim again after a lost answer, after the death of a node, or after a change of the job.
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
    checked_call('ZADD', execution_list_of(job), moved_at, attempt)
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
if outcome == 'OVERLAP' then
  occurrence = string.match(claim, ' occurrence=(%d+)')
elseif is_last then
  next_iso, local_time = '', local_time ~= '' and '-' or ''
end
-- Steps that may fail and can be repeated come first.
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
if local_time == '-' then
  redis.call('HDEL', job, 'local')
elseif local_time ~= '' then
  fields[#fields + 1] = 'local'
  fields[#fields + 1] = local_time
end
-- Records the occurrence that was begun last and the number of open executions: a change of the job continues from there.
local claimed = string.match(moved, ' at=(%S+)')
local open = (tonumber(current[3]) or 0) + 1 -- counts the claimed execution: next now names a later one, see finish
if next_iso ~= '' then
  redis.call('HSET', job, 'next', next_iso, 'occurrence', occurrence, 'claimedOccurrence', claimed, 'openExecutions', open, unpack(fields))
else
  redis.call('HDEL', job, 'next')
  redis.call('HSET', job, 'lastOccurrenceTaken', 1, 'occurrence', occurrence, 'claimedOccurrence', claimed, 'openExecutions', open, unpack(fields))
end
if outcome == 'BUFFERED' then buffer() end
return outcome
