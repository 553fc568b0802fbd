-- put_job: write a job's definition, its place in the index and what waits for it, all or nothing.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] zset  {17}:due            member -> epoch ms
-- KEYS[3] zset  {17}:jobs:<coll>    "<state>/<job name>" -> 0
-- ARGV[1] text  key of the job       sub/group/coll/job
-- ARGV[2] text  condition            any | absent | present | the revision that must be current
-- ARGV[3] int   now                  epoch ms; the new revision, unless the old one is not smaller
-- ARGV[4] text  now                  ISO
-- ARGV[5] text  name                 collection/job, in the case they were given
-- ARGV[6] text  definition           JSON
-- ARGV[7] text  state                enabled | disabled
-- ARGV[8] text  next                 ISO, or '' when nothing is to wait
-- ARGV[9] int   due                  epoch ms at which next is due
-- ARGV[10] text mode                 replace (counters begin again) | change (counters stay)
-- returns {word, revision, previous created}; word is CREATED, REPLACED or REFUSED
-- cost    O(log n)
local job, due, index = KEYS[1], KEYS[2], KEYS[3]
local key, condition, now, now_iso, name = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local definition, state, next_iso, due_at, mode = ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]

local old = redis.call('HMGET', job, 'revision', 'state', 'created', 'historyBytes', 'incarnation')
local revision, old_state, created, history_bytes = old[1], old[2], old[3], old[4]
local met = condition == 'any' or (condition == 'absent' and not revision)
  or (revision and (condition == 'present' or condition == revision))
if not met then return {'REFUSED', revision or '', created or ''} end

local new_revision = string.format('%.0f', math.max(now, (tonumber(revision) or 0) + 1))
local short_name = string.match(key, '[^/]+$')
if old_state and old_state ~= state then redis.call('ZREM', index, old_state .. '/' .. short_name) end
if old_state ~= state then redis.call('ZADD', index, 0, state .. '/' .. short_name) end
if revision then redis.call('ZREM', due, 'purge:' .. key) end

local fields = {'definition', definition, 'state', state, 'revision', new_revision}
local function set(field, value)
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
if mode == 'change' and revision then
  redis.call('HDEL', job, 'next', 'open', 'exhausted')
  set('incarnation', old[5] or revision)
  set('modified', now_iso)
else
  if revision then redis.call('DEL', job) end
  set('name', name)
  set('created', now_iso)
  if history_bytes then set('historyBytes', history_bytes) end
end
if next_iso ~= '' then
  set('next', next_iso)
  redis.call('ZADD', due, due_at, 'job:' .. key)
elseif revision then
  redis.call('ZREM', due, 'job:' .. key)
end
redis.call('HSET', job, unpack(fields))
return {revision and 'REPLACED' or 'CREATED', new_revision, created or ''}
