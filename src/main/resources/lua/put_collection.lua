-- put_collection: write a collection's definition.
-- KEYS[1] hash  collection:<sub>/<group>/<coll>
-- KEYS[2] zset  quota:{...}
-- ARGV[1] text  condition    any | absent | present | the revision that must be current
-- ARGV[2] int   now          epoch ms; the new revision, unless the old one is not smaller
-- ARGV[3] text  now          ISO
-- ARGV[4] text  name         sub/group/coll in the client's case; kept from the first write on
-- ARGV[5] text  definition   JSON
-- ARGV[6] text  limits       all limits of jobs, '' for none; other limits begin another epoch
-- ARGV[7] int   max_jobs     maximum number of jobs, '' for any number
-- ARGV[8] text  disabled     '1' if its jobs must be held, now or in a planned pause
-- returns {word, revision, name, created, epoch, changed, before, marked}; word is CREATED, REPLACED, REFUSED, or DELETING while the previous
--         collection has not ended in every partition; changed is '1' if the previous epoch must be retired; before
--         is the replaced definition; marked is '1' if it is or ever was disabled, so that its marker must be set
--         An invalid name, instant or epoch, caused by a manual change or a bug, is replaced
-- cost    O(1)
local collection, quota = KEYS[1], KEYS[2]
local condition, now, now_iso, name, definition = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local limits, max_jobs, disabled = ARGV[6], ARGV[7], ARGV[8]

local old = redis.call('HMGET', collection, 'revision', 'name', 'created', 'deletedAt', 'epoch', 'limits', 'deletedEpoch', 'maxJobs', 'definition', 'everDisabled')
if old[2] and string.lower(old[2]) ~= string.lower(name) then old[2] = false end
if old[3] and not string.find(old[3], '^%d+%-%d%d%-%d%dT%d%d:%d%d[%d:.]*Z$') then old[3] = false end
local deleted, epoch, former = old[4], tonumber(old[5]) or 0, tonumber(old[1]) or 0
if old[1] and #old[1] > 15 then former = 0 end
local revision = not deleted and old[1]
local met = condition == 'any' or (condition == 'absent' and not revision)
  or (revision and (condition == 'present' or condition == revision))
if not met then return {'REFUSED', revision or '', '', '', epoch, ''} end
if deleted and (old[7] or '') ~= tostring(epoch) then return {'DELETING', '', '', '', epoch, ''} end

if old[5] and (#old[5] > 15 or not string.find(old[5], '^%d+$')) then
  epoch = now -- greater than any counted epoch
  redis.call('HSET', collection, 'epoch', epoch)
end
local changed = revision and (old[6] or '') ~= limits
if deleted or changed then
  epoch = epoch + 1
  redis.call('HSET', collection, 'epoch', epoch)
end
if deleted then redis.call('HDEL', collection, 'deletedAt', 'deletedEpoch') end
redis.call('HDEL', collection, 'limits', 'maxJobs')
if limits ~= '' then redis.call('HSET', collection, 'limits', limits) end
if max_jobs == '' then
  redis.call('HDEL', collection, 'quotaPending', 'quotaEpoch')
  redis.call('UNLINK', quota)
else
  redis.call('HSET', collection, 'maxJobs', max_jobs)
  if not old[8] then redis.call('HSET', collection, 'quotaEpoch', epoch) end
  if revision and not old[8] then redis.call('HSET', collection, 'quotaPending', 1) end
end
if disabled == '1' then redis.call('HSET', collection, 'everDisabled', 1) end
local new_revision = string.format('%.0f', math.max(now, former + 1))
redis.call('HSET', collection, 'name', old[2] or name, 'definition', definition, 'revision', new_revision,
  'created', old[3] or now_iso, 'modified', now_iso)
return {revision and 'REPLACED' or 'CREATED', new_revision, old[2] or name, old[3] or now_iso, epoch, changed and '1' or '', revision and old[9] or '', (disabled == '1' or old[10]) and '1' or ''}
