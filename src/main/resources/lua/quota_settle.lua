-- quota_settle: settle a job's entry in the quota, after the job was written or deleted.
-- KEYS[1] hash  collection:<sub>/<group>/<coll>
-- KEYS[2] zset  quota:{...}
-- ARGV[1] text  job      its folded name
-- ARGV[2] text  token    of quota_reserve, "<score> <epoch>"
-- ARGV[3] text  outcome  present | absent | unknown
-- ARGV[4] text  force    1: settle it although others hold it, because they have held it too long to be alive; '' otherwise
-- returns text: SETTLED, also if the quota has begun anew since; OTHERS if another caller still holds it; or a token: the caller is
--         the last holder, but others held the entry in the meantime. It must check whether the job exists and call again with the token
-- cost    O(log n)
local collection, quota = KEYS[1], KEYS[2]
local job, token, outcome = ARGV[1], ARGV[2], ARGV[3]

local epoch = string.match(token, '%S+$')
if redis.call('HGET', collection, 'quotaEpoch') ~= epoch then return 'SETTLED' end
local score = tonumber(redis.call('ZSCORE', quota, job))
if not score or score == 0 then return 'SETTLED' end
local alone = score % 1024 == 1 or ARGV[4] == '1'
if not alone then
  redis.call('ZADD', quota, string.format('%.0f', score - 1), job)
  return 'OTHERS'
end
local current = string.format('%.0f', score) .. ' ' .. epoch
if current ~= token or outcome == 'unknown' then return current end
if outcome == 'present' then redis.call('ZADD', quota, 0, job) else redis.call('ZREM', quota, job) end
return 'SETTLED'
