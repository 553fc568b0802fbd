-- put_resource: write the definition of a named resource, such as a flow.
-- KEYS[1] hash  resources     <key> -> "<revision> <created> <modified> <name> <definition>"; revision -> number of changes
-- ARGV[1] text  condition     any | absent | present | the revision that must be current
-- ARGV[2] int   now           epoch ms; the new revision, unless the old one is not smaller
-- ARGV[3] text  now           ISO
-- ARGV[4] text  key           sub/group/resource in lower case
-- ARGV[5] text  name          the same in the client's case; kept from the first write on
-- ARGV[6] text  definition    JSON
-- ARGV[7] int   max           resources of this kind in a subscription
-- returns {word, record, before}; word is CREATED, REPLACED, REFUSED, or FULL when the subscription has as many as it may; record is what
--         stands there now, before what stood there
-- cost    O(1); to create one O(resources)
-- include: checked_call
local resources, condition, now, now_iso = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3]
local key, name, definition, max = ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7])

local before = checked_call('HGET', resources, key)
local revision, created, former_name
if before then revision, created, former_name = string.match(before, '^(%d+) (%S+) %S+ (%S+) ') end
local met = condition == 'any' or (condition == 'absent' and not revision)
  or (revision and (condition == 'present' or condition == revision))
if not met then return {'REFUSED', before or '', before or ''} end
if not revision then
  local subscription, count = string.match(key, '^[^/]+/'), 0
  for _, other in ipairs(redis.call('HKEYS', resources)) do
    if string.sub(other, 1, #subscription) == subscription then count = count + 1 end
  end
  if count >= max then return {'FULL', '', ''} end
end
local record = table.concat({string.format('%.0f', math.max(now, (tonumber(revision) or 0) + 1)), created or now_iso, now_iso,
  former_name or name, definition}, ' ')
redis.call('HSET', resources, key, record)
redis.call('HINCRBY', resources, 'revision', 1)
return {revision and 'REPLACED' or 'CREATED', record, before or ''}
