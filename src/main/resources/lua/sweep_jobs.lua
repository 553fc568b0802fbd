-- sweep_jobs: remove some of the jobs that were deleted with their collection.
-- KEYS[1] zset  {17}:deleted:<coll>@<epoch>   former index, "<state>/<job name>" -> 0
-- KEYS[2] zset  {17}:due
-- ARGV[1] int   limit        1..256
-- ARGV[2] text  jobs         prefix of the jobs' keys, "carillon:{17}:job:<sub>/<group>/<coll>/"
-- ARGV[3] text  histories    prefix of the histories' keys, likewise
-- ARGV[4] text  collection   "<sub>/<group>/<coll>/"
-- ARGV[5] int   epoch        that is dead; a later job of the same name stays
-- derived hash  {17}:job:<job>, list {17}:history:<job> of each; zset {17}:lists, see parked_release
-- returns int   number of entries handled; fewer than limit means that none remains
-- cost    O(limit * log n)
-- include: checked_call
-- include: parked_release
local dead, due, epoch = KEYS[1], KEYS[2], tonumber(ARGV[5])
local members = redis.call('ZRANGE', dead, 0, tonumber(ARGV[1]) - 1)
for _, member in ipairs(members) do
  local name = string.match(member, '[^/]+$')
  local job = ARGV[2] .. name
  local at = redis.call('HMGET', job, 'epoch', 'revision', 'openExecutions', 'claimedOccurrence', 'requestedAt', 'next', 'pause')
  if (tonumber(at[1]) or 0) <= epoch then
    redis.call('UNLINK', job, ARGV[3] .. name)
    local unclaimed = redis.call('ZREM', due, 'job:' .. ARGV[4] .. name) == 1
    if at[7] then redis.call('ZREM', due, 'resume:' .. ARGV[4] .. name) end
    if tonumber(at[2]) and (at[3] or at[4] or at[5] or (at[6] and not unclaimed)) then -- as delete_job does
      redis.call('HSET', job, 'deleted', at[2])
      redis.call('PEXPIRE', job, 7200000)
    end
  end
end
if #members > 0 then redis.call('ZREM', dead, unpack(members)) end
if #members < tonumber(ARGV[1]) then release_parked(due, ARGV[4] .. '*', 0) end
return #members
