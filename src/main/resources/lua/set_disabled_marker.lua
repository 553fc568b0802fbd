-- set_disabled_marker: set the disabled marker of a collection, a group or everything, in one partition or in the list of all, unless a later change of the
-- collection has set it already.
-- KEYS[1] hash  {17}:gates, or gates   collection -> "closed <since> <revision>", "open <since> <revision>" or, of a pause to come, "planned <from> <revision>"
-- ARGV[1] text  collection
-- ARGV[2] text  entry
-- ARGV[3] int   revision    of the collection, when it had this state
-- returns word: SET, also to a repeat; OVERTAKEN when the entry is of a later revision
-- cost    O(1)
-- include: checked_call
local seen = checked_call('HGET', KEYS[1], ARGV[1])
local revision = seen and tonumber(string.match(seen, ' (%d+)$'))
if revision and revision > tonumber(ARGV[3]) then return 'OVERTAKEN' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 'SET'
