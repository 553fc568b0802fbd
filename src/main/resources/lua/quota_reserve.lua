-- quota_reserve: reserve a job's entry in the quota of its collection, before the job is written or deleted. The entry is uncertain until
-- quota_settle settles it.
-- KEYS[1] hash  collection:<sub>/<group>/<coll>
-- KEYS[2] zset  quota:{...}   job name -> 0, or while uncertain: last reservation (epoch ms) * 1024 + number of holders
-- ARGV[1] text  job      its folded name
-- ARGV[2] int   now      epoch ms
-- ARGV[3] text  mode     new: the job may be created | old: it may only be deleted
-- returns {word, ...}: {RESERVED, token}: the score, and the epoch in which the limit began; {FREE} if there is no limit;
--         {NONE} if an old job has no entry; {FULL, count, limit, epoch}; {PENDING} while jobs from before the limit are not all counted
-- cost    O(log n)
local collection, quota = KEYS[1], KEYS[2]
local job, now, mode = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local bound = redis.call('HMGET', collection, 'maxJobs', 'quotaPending', 'quotaEpoch')
if not bound[1] then return {'FREE'} end
local score = tonumber(redis.call('ZSCORE', quota, job))
if not score then
  if mode == 'old' then return {'NONE'} end
  if bound[2] then return {'PENDING'} end
  local count = redis.call('ZCARD', quota)
  if count >= tonumber(bound[1]) then return {'FULL', count, bound[1], bound[3]} end
end
local since, holders = math.floor((score or 0) / 1024), (score or 0) % 1024
local taken = string.format('%.0f', math.max(now, since + 1) * 1024 + math.min(holders + 1, 1023))
redis.call('ZADD', quota, taken, job)
return {'RESERVED', taken .. ' ' .. bound[3]}
