-- set_disabled_marker: set the disabled marker of a collection, a group or everything, in one partition or in the list of all. A marker of a later
-- change of the collection stays.
-- KEYS[1] hash  {17}:gates, or gates   collection -> "closed <since> <revision>", "open <since> <revision>" or, for a planned pause,
--                                      "planned <from> <revision>". With "/<until>" after <since> of "closed" or after <from>, the pause ends
--                                      automatically at this instant. A group is "<sub>/<group>/*", everything is "*"
-- ARGV[1] text  collection  or the group, or "*"
-- ARGV[2] text  entry
-- ARGV[3] int   revision    of the collection, or of the pause of the group or of everything, when it had this state
-- returns word: SET, also for a repeat; OVERTAKEN if the stored entry has a later revision
-- cost    O(1)
-- include: checked_call
local seen = checked_call('HGET', KEYS[1], ARGV[1])
local revision = seen and tonumber(string.match(seen, ' (%d+)$'))
if revision and revision > tonumber(ARGV[3]) then return 'OVERTAKEN' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 'SET'
