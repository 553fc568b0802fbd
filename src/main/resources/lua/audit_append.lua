-- audit_append (a fragment, pulled in by "-- include: audit_append"): append a change to the audit log of a partition.
-- audit  stream  {17}:audit
-- first  int     index of two arguments in ARGV. The first is "<did>|<from>|<by>", or '' to record nothing.
--                The second is "<entries> <bytes>": approximate number of entries, and most bytes of a definition, to keep
-- object text    key of the job
-- ...            names and values of further fields
-- returns nothing
-- cost    O(1); drops about 64 entries at a time
-- needs   checked_call
local function append_entry(audit, change, bounds, object, ...)
  checked_call('XADD', audit, '*', 'object', object, 'change', change, ...)
  local kept = string.match(bounds, '^%d+')
  -- Trims rarely, because a trim costs more than the append.
  if redis.call('XLEN', audit) > kept + 64 then redis.call('XTRIM', audit, 'MAXLEN', '~', kept) end
end

local function audit_append(audit, first, object, ...)
  if ARGV[first] ~= '' then append_entry(audit, ARGV[first], ARGV[first + 1], object, ...) end
end

-- Returns the name and value of a field with a definition without its secrets. If the definition is too long to keep, returns only its length.
local function audited_form(name, definition, bounds)
  if #definition > tonumber(string.match(bounds, '^%d+ (%d+)')) then return name .. 'Bytes', #definition end
  if string.find(definition, 'sealed:v1:', 1, true) then
    definition = string.gsub(definition, 'sealed:v1:[%w_:-]*', '(hidden)')
  end
  return name, definition
end
