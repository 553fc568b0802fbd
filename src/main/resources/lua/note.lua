-- note (a fragment, pulled in by "-- include: note"): remember a change in the audit log of a partition.
-- audit  stream  {17}:audit
-- first  int     index in ARGV of five: entries kept (about; 0 notes nothing), bytes of a definition kept, by, from, did
-- object text    key of the job
-- ...            names and values of further fields
-- returns nothing
-- cost    O(1), but for what is dropped: some 64 at a time, since to look at each entry costs more than to add it
-- needs   mend
local function note(audit, first, object, ...)
  if ARGV[first] == '0' then return end
  mend('XADD', audit, '*', 'object', object, 'did', ARGV[first + 4], 'by', ARGV[first + 2], 'from', ARGV[first + 3], ...)
  if redis.call('XLEN', audit) > ARGV[first] + 64 then redis.call('XTRIM', audit, 'MAXLEN', '~', ARGV[first]) end
end

-- The name and the value of a field with a definition: without its secrets, or but its length where it is longer than what is kept.
local function open_form(name, definition, longest)
  if #definition > tonumber(longest) then return name .. 'Bytes', #definition end
  if string.find(definition, '"sealed:v1:', 1, true) then
    definition = string.gsub(definition, '"sealed:v1:[^"]*"', '"(hidden)"')
  end
  return name, definition
end
