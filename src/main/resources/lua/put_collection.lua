-- put_collection: write a collection's definition.
-- KEYS[1] hash  collection:<sub>/<group>/<coll>
-- ARGV[1] text  condition    any | absent | present | the revision that must be current
-- ARGV[2] int   now          epoch ms; the new revision, unless the old one is not smaller
-- ARGV[3] text  now          ISO
-- ARGV[4] text  name         sub/group/coll in the client's case; kept from the first write on
-- ARGV[5] text  definition   JSON
-- returns {word, revision, name, created}; word is CREATED, REPLACED or REFUSED
-- cost    O(1)
local collection = KEYS[1]
local condition, now, now_iso, name, definition = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]

local old = redis.call('HMGET', collection, 'revision', 'name', 'created', 'deleting')
local revision = old[1]
if old[4] then revision = false end
local met = condition == 'any' or (condition == 'absent' and not revision)
  or (revision and (condition == 'present' or condition == revision))
if not met then return {'REFUSED', revision or '', '', ''} end
local new_revision = string.format('%.0f', math.max(now, (tonumber(old[1]) or 0) + 1))
redis.call('HDEL', collection, 'deleting')
redis.call('HSET', collection, 'name', old[2] or name, 'definition', definition, 'revision', new_revision,
  'created', old[3] or now_iso, 'modified', now_iso)
return {revision and 'REPLACED' or 'CREATED', new_revision, old[2] or name, old[3] or now_iso}
