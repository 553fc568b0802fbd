-- read_job: read a job with all data that a change must take into account.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] zset  {17}:due
-- KEYS[3] hash  {17}:epochs   fences of collections
-- ARGV[1] text  key of the job
-- returns {fingerprint, scheduled, fields}: fingerprint is for put_job; scheduled is '1' while the next occurrence waits, else ''; fields is a map.
--         Nothing if the job does not exist; fails if its key holds another type
-- cost    O(log n + size of the definition)
-- include: checked_call
-- include: epoch_fence
-- include: fingerprint
local job, due, key = KEYS[1], KEYS[2], ARGV[1]

local _, dead = fence_of(KEYS[3], key)
local at = redis.call('HMGET', job, 'revision', 'epoch')
if not at[1] or dead >= 0 and (tonumber(at[2]) or 0) <= dead then return {} end
local fingerprint, score = fingerprint_of(job, due, key)
redis.setresp(3)
return {fingerprint, score and '1' or '', redis.call('HGETALL', job)}
