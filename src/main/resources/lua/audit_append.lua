-- audit_append (a fragment, pulled in by "-- include: audit_append"): append a change to the audit log of a partition.
-- audit  stream  {17}:audit
-- first  int     index in ARGV of two: who did what, "<did>|<from>|<by>", of which '' notes nothing; and the bounds,
--                "<entries> <bytes>": so many entries are kept, about; a definition of more bytes is left out
-- object text    key of the job
-- ...            names and values of further fields
-- returns nothing
-- cost    O(1), but for what is dropped: some 64 at a time, since to look at each entry costs more than to add it
-- needs   checked_call
local function append_entry(audit, change, bounds, object, ...)
  checked_call('XADD', audit, '*', 'object', object, 'change', change, ...)
  local kept = string.match(bounds, '^%d+')
  if redis.call('XLEN', audit) > kept + 64 then redis.call('XTRIM', audit, 'MAXLEN', '~', kept) end
end

local function audit_append(audit, first, object, ...)
  if ARGV[first] ~= '' then append_entry(audit, ARGV[first], ARGV[first + 1], object, ...) end
end

-- The name and the value of a field with a definition: without its secrets, or but its length where it is longer than what is kept.
local function audited_form(name, definition, bounds)
  if #definition > tonumber(string.match(bounds, '^%d+ (%d+)')) then return name .. 'Bytes', #definition end
  if string.find(definition, 'sealed:v1:', 1, true) then
    definition = string.gsub(definition, 'sealed:v1:[%w_:-]*', '(hidden)')
  end
  return name, definition
end
