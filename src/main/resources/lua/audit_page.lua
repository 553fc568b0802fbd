-- audit_page: return the newest entries of one stream of the audit log that concern an object.
-- KEYS[1] stream  audit or {17}:audit
-- ARGV[1] text  upto    id to begin at, with "(" before it to exclude it, or "+"
-- ARGV[2] int   from    epoch ms; older entries are left out
-- ARGV[3] text  object  key of a job or a collection, or the start of one, up to a slash
-- ARGV[4] int   look    maximum number of entries to read, at most 256
-- ARGV[5] int   take    maximum number of entries to return
-- returns {rest, entries}: rest is the id after which to continue, '' at the end; entries have the form of XREVRANGE
-- cost    O(look)
local upto, from, object = ARGV[1], ARGV[2], ARGV[3]
local look, take = tonumber(ARGV[4]), tonumber(ARGV[5])

local collection, job = string.match(object, '^([^/]+/[^/]+/[^/]+/)([^/]+)$')
-- The first field is the object. The last field may name more jobs of its collection (see create_jobs).
local function concerns(fields)
  local name, count = fields[2], #fields
  if name == object or string.sub(name, 1, #object + 1) == object .. '/' then return true end
  return job and fields[count - 1] == 'others' and string.match(name, '^(.*/)') == collection
    and string.find(' ' .. fields[count] .. ' ', ' ' .. job .. ' ', 1, true)
end
local found = {}
local entries = redis.call('XREVRANGE', KEYS[1], upto, from, 'COUNT', look)
for _, entry in ipairs(entries) do
  if concerns(entry[2]) then
    found[#found + 1] = entry
    if #found == take then return {entry[1], found} end
  end
end
return {#entries < look and '' or entries[#entries][1], found}
