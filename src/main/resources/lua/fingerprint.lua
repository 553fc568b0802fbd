-- fingerprint (a fragment, pulled in by "-- include: fingerprint"): read all data of a job that a change must take into account.
-- The text stays the same until the job is changed, one of its occurrences is claimed, followed by the next or ended, or its definition is
-- sealed anew. Only for comparison.
-- job    hash  {17}:job:<job>
-- due    zset  {17}:due
-- key    text  key of the job
-- returns text
--         score  of its waiting next occurrence, false if none waits
-- cost    O(log n + size of the definition)
-- needs   checked_call
local function fingerprint_of(job, due, key)
  local at = redis.call('HMGET', job, 'revision', 'state', 'next', 'claimedOccurrence', 'attemptRevision', 'heldAttempt', 'definition')
  local score = checked_call('ZSCORE', due, 'job:' .. key)
  at[7] = redis.sha1hex(at[7] or '')
  for i = 1, 7 do at[i] = at[i] or '' end
  local text = table.concat(at, '|') .. (score and '|waits' or '')
  return string.find(text, '[\128-\255]') and redis.sha1hex(text) or text, score -- text that is not UTF-8 would be changed on its way
end
