-- closed_marker (a fragment, pulled in by "-- include: closed_marker"): find the disabled marker that holds the jobs of a collection.
-- gates       hash  {17}:gates   "*" for everything, "<sub>/<group>/*" for a group, or a collection -> see set_disabled_marker
-- collection  text
-- now         text  ISO
-- returns the field of the first marker that disables now, widest first; nil if none does. An ended pause no longer disables. Its
--         marker stays until a heartbeat removes it
-- cost    O(1)
-- needs   checked_call
local function closed_marker(gates, collection, now)
  for _, name in ipairs({'*', string.match(collection, '^(.*/)') .. '*', collection}) do
    local marker = checked_call('HGET', gates, name) or ''
    local state, from, ending = string.match(marker, '^(%a+) ([^/ ]+)/?(%S*)')
    local has_begun = state == 'closed' or state == 'planned' and string.sub(from, 1, -2) <= string.sub(now, 1, -2)
    if has_begun and (ending == '' or string.sub(ending, 1, -2) > string.sub(now, 1, -2)) then return name end
  end
end
