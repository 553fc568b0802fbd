-- delete_resource: delete the definition of a named resource.
-- KEYS[1] hash  resources   see put_resource
-- ARGV[1] text  condition   any | present | the revision that must be current
-- ARGV[2] text  key         sub/group/resource in lower case
-- ARGV[3] int   now         epoch ms
-- returns {word, before}; word is DELETED, MISSING or REFUSED; before is the previous value
-- cost    O(1)
-- include: checked_call
-- include: count_change
local resources, condition, key = KEYS[1], ARGV[1], ARGV[2]
local before = checked_call('HGET', resources, key)
if not before then return {condition == 'any' and 'MISSING' or 'REFUSED', ''} end
if condition ~= 'any' and condition ~= 'present' and condition ~= string.match(before, '^%d+') then return {'REFUSED', before} end
redis.call('HDEL', resources, key)
count_change(resources, tonumber(ARGV[3]))
return {'DELETED', before}
