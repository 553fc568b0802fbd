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

-- Jobs that one client makes in one collection share an entry when they come in one batch, which is written at its end: their names stand in its
-- last field others, sixteen jobs at most. In the stream of the first job's partition.
local function audit_append_created(audit, first, object, state)
  local batch, change = ARGV.batch, ARGV[first]
  if not batch or change == '' then return audit_append(audit, first, object, 'state', state) end
  local collection, name = string.match(object, '^(.*/)(.*)$')
  if not batch.audit_entries then
    local entries, append = {}, append_entry
    batch.audit_entries, batch.open_audit_entries = entries, {}
    batch.finish = function()
      for _, made in ipairs(entries) do
        if #made.others == 0 then append(made.audit, made.change, made.bounds, made.object, 'state', made.state)
        else append(made.audit, made.change, made.bounds, made.object, 'state', made.state, 'others', table.concat(made.others, ' ')) end
      end
    end
  end
  local shared = change .. ' ' .. collection .. ' ' .. state
  local made = batch.open_audit_entries[shared]
  if made and #made.others < 15 then
    made.others[#made.others + 1] = name
  else
    made = {audit = audit, change = change, bounds = ARGV[first + 1], object = object, state = state, others = {}}
    batch.open_audit_entries[shared] = made
    batch.audit_entries[#batch.audit_entries + 1] = made
  end
end

-- The name and the value of a field with a definition: without its secrets, or but its length where it is longer than what is kept.
local function audited_form(name, definition, bounds)
  if #definition > tonumber(string.match(bounds, '^%d+ (%d+)')) then return name .. 'Bytes', #definition end
  if string.find(definition, 'sealed:v1:', 1, true) then
    definition = string.gsub(definition, 'sealed:v1:[%w_:-]*', '(hidden)')
  end
  return name, definition
end
