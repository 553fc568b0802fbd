-- give_place: end the doubt about a job's place, after it was written or deleted.
-- KEYS[1] zset  places:{...}
-- ARGV[1] text  job      its folded name
-- ARGV[2] int   token    of take_place
-- ARGV[3] text  outcome  present | absent | unknown
-- ARGV[4] text  force    1: settle it although others hold it, as they have done so for too long to be alive; '' otherwise
-- returns text: SETTLED, OTHERS when somebody else still holds it, or a token: whoever gets it is the last to hold the place, but
--         others did meanwhile; it must look whether the job is there and call again with that token
-- cost    O(log n)
local places, job, token, outcome = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3]

local score = tonumber(redis.call('ZSCORE', places, job))
if not score or score == 0 then return 'SETTLED' end
local alone = score % 1024 == 1 or ARGV[4] == '1'
if not alone then
  redis.call('ZADD', places, string.format('%.0f', score - 1), job)
  return 'OTHERS'
end
if score ~= token or outcome == 'unknown' then return string.format('%.0f', score) end
if outcome == 'present' then redis.call('ZADD', places, 0, job) else redis.call('ZREM', places, job) end
return 'SETTLED'
