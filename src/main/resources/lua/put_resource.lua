-- put_resource: write the definition of a named resource, such as a flow.
-- KEYS[1] hash  resources     <key> -> "<revision> <created> <modified> <name> <definition>"; revision -> number of changes
-- ARGV[1] text  condition     any | absent | present | the revision that must be current
-- ARGV[2] int   now           epoch ms; the new revision, unless the old one is not smaller
-- ARGV[3] text  now           ISO
-- ARGV[4] text  key           sub/group/resource in lower case
-- ARGV[5] text  name          the same in the client's case; kept from the first write on
-- ARGV[6] text  definition    JSON
-- ARGV[7] int   max           resources of this kind in a subscription
-- ARGV[8] int   max_of_group  resources of this kind in a group
-- returns {word, record, before}; word is CREATED, REPLACED, REFUSED, FULL if the subscription has its maximum, or GROUP_FULL
--         if the group has; record is the current value, before the previous one. An invalid value, caused by a manual change or a bug, is
--         replaced and counts as existing
-- cost    O(1); to create one O(resources)
-- include: checked_call
-- include: count_change
local resources, condition, now, now_iso = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3]
local key, name, definition, max, max_of_group = ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])

local before = checked_call('HGET', resources, key)
local revision, created, former_name
if before then revision, created, former_name = string.match(before, '^(%d+) (%S+) %S+ (%S+) ') end
if revision and #revision > 15 then revision = nil end
if created and not string.find(created, '^%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d[%d.]*Z$') then created = nil end
if former_name and string.lower(former_name) ~= key then former_name = nil end
local met = condition == 'any' or (condition == 'absent' and not before)
  or (before and (condition == 'present' or condition == revision))
if not met then return {'REFUSED', before or '', before or ''} end
if not before then
  local subscription, group, count, of_group = string.match(key, '^[^/]+/'), string.match(key, '^[^/]+/[^/]+/'), 0, 0
  for _, other in ipairs(redis.call('HKEYS', resources)) do
    if string.sub(other, 1, #subscription) == subscription then count = count + 1 end
    if string.sub(other, 1, #group) == group then of_group = of_group + 1 end
  end
  if of_group >= max_of_group then return {'GROUP_FULL', '', ''} end
  if count >= max then return {'FULL', '', ''} end
end
local record = table.concat({string.format('%.0f', math.max(now, (tonumber(revision) or 0) + 1)), created or now_iso, now_iso,
  former_name or name, definition}, ' ')
redis.call('HSET', resources, key, record)
count_change(resources, now)
return {before and 'REPLACED' or 'CREATED', record, before or ''}
