-- deferral (a fragment, pulled in by "-- include: deferral"): index entries of due that wait for a place at their destination.
-- The index owns nothing: claim_deferred uses it to find entries before their instant. An entry is void if its score in due differs.
-- due       {17}:due; the index is in keys derived from it: zset {17}:deferred:<authority>, member -> its score in due; and zset
--           {17}:deferrals, authority -> 0. Both expire ten minutes after the last deferral, which no deferral outlasts.
-- authority of the destination
-- entries   score, member, ...
-- returns nothing
-- cost      O(entries * log n)
-- needs     checked_call
local INDEX_KEPT = 600000
local function index_deferred(due, authority, entries)
  local slot = string.gsub(due, 'due$', '')
  local index, deferrals = slot .. 'deferred:' .. authority, slot .. 'deferrals'
  checked_call('ZADD', index, unpack(entries))
  redis.call('PEXPIRE', index, INDEX_KEPT)
  checked_call('ZADD', deferrals, 0, authority)
  redis.call('PEXPIRE', deferrals, INDEX_KEPT)
end
