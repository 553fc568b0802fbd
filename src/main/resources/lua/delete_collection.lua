-- delete_collection: mark a collection as deleted. Afterwards retire_epoch ends its epoch and sweep_jobs removes its jobs.
-- KEYS[1] hash  collection:<sub>/<group>/<coll>
-- KEYS[2] zset  quota:{...}
-- ARGV[1] text  condition   any | present | the revision that must be current
-- ARGV[2] int   epoch       of the collection to delete
-- ARGV[3] text  now         ISO
-- returns word: DELETED, MISSING, REFUSED, or CHANGED if it has another epoch now
-- cost    O(1)
local collection, quota = KEYS[1], KEYS[2]
local condition, epoch, now_iso = ARGV[1], ARGV[2], ARGV[3]

local old = redis.call('HMGET', collection, 'revision', 'deletedAt', 'epoch')
local revision = old[1]
if old[2] or not revision then return 'MISSING' end
if condition ~= 'any' and condition ~= 'present' and condition ~= revision then return 'REFUSED' end
if (old[3] or '0') ~= epoch then return 'CHANGED' end
redis.call('HDEL', collection, 'name', 'definition', 'created', 'modified', 'limits', 'maxJobs', 'quotaPending', 'quotaEpoch')
redis.call('HSET', collection, 'deletedAt', now_iso)
redis.call('UNLINK', quota)
return 'DELETED'
