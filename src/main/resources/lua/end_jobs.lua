-- end_jobs: record the outcomes of attempts that complete one-time jobs normally: the first attempt of the job, with success. This is the hot path of
-- finish, which handles all other cases. A key or an argument of a job costs about 1 % of the whole, so the jobs share as much as possible.
-- SHARED[1] text node
-- ARGV[1] text  slot        "carillon:{17}:"
-- ARGV[2] text  claim
-- ARGV[3] text  started     ISO: actual start
-- ARGV[4] int   ended       epoch ms, the end in the entry
-- ARGV[5] text  entry       history entry
-- derived those of finish
-- returns word: COMPLETED; OTHER if finish must handle it: the claim is not held, the job was changed, damaged, deleted or called before, or
--         an execution outside its schedule is under way
-- cost    O(log n)
-- behind: many
-- include: end_job
local node = ...

local function record(job, slot, key, started, ended, entry)
  local collection, name = string.match(key, '^(.*)/(.*)$')
  move_in_index(slot .. 'jobs:' .. collection, 'enabled/' .. name, 'completed/' .. name)
  redis.call('RPUSH', slot .. 'finished', ended .. ' ' .. key)
  redis.call('HDEL', job, 'next')
  redis.call('HSET', job, 'executions', '1', 'last', started, 'state', 'completed', 'latest', entry)
end

local function finish(slot, claim, started, ended, entry)
  local key, nominal, revision = string.match(claim, '^run:(%S+) at=(%S+) %S+ %S+ revision=(%d+)')
  local job = slot .. 'job:' .. key
  local at = redis.call('HMGET', job, 'revision', 'next', 'state', 'executions', 'latest', 'putRevision', 'attemptRevision', 'openExecutions')
  if at[1] ~= revision or at[2] ~= nominal or at[3] or at[4] or at[5] or at[6] or at[7] or at[8] then return 'OTHER' end
  local claims = slot .. 'claims:' .. node
  if redis.call('HDEL', claims, claim) == 0 then return 'OTHER' end
  if pcall(record, job, slot, key, started, ended, entry) then return 'COMPLETED' end
  -- An attempt without a record is not over, so its claim is restored. HSET is not used, because it may be the refused command.
  redis.call('HSETNX', claims, claim, started)
  redis.pcall('LREM', slot .. 'finished', -1, ended .. ' ' .. key)
  return 'OTHER'
end
return finish
