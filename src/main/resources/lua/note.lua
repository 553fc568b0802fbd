-- note (a fragment, pulled in by "-- include: note"): remember a change in the audit log of a partition.
-- audit  stream  {17}:audit
-- first  int     index in ARGV of five: entries kept (about; 0 notes nothing), bytes of a definition kept, by, from, did
-- object text    key of the job
-- names and values of further fields, of which before and after are definitions: without their secrets, or their length as
--        beforeBytes and afterBytes where they are longer than what is kept
-- returns nothing
-- cost    O(1), but for what is dropped: about as many as are added
-- needs   mend
local function note(audit, first, object, ...)
  local most, longest = tonumber(ARGV[first]), tonumber(ARGV[first + 1])
  if most == 0 then return end
  local fields = {...}
  for i = 1, #fields, 2 do
    if fields[i] == 'before' or fields[i] == 'after' then
      if #fields[i + 1] > longest then
        fields[i], fields[i + 1] = fields[i] .. 'Bytes', #fields[i + 1]
      elseif string.find(fields[i + 1], '"sealed:v1:', 1, true) then
        fields[i + 1] = string.gsub(fields[i + 1], '"sealed:v1:[^"]*"', '"(hidden)"')
      end
    end
  end
  mend('XADD', audit, 'MAXLEN', '~', most, '*', 'object', object, 'did', ARGV[first + 4], 'by', ARGV[first + 2],
    'from', ARGV[first + 3], unpack(fields))
end
