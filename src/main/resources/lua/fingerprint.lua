-- fingerprint (a fragment, pulled in by "-- include: fingerprint"): read all of a job that a change of it must take into account.
-- job    hash  {17}:job:<job>
-- due    zset  {17}:due
-- key    text  key of the job
-- returns text   the same as long as nobody changed the job, no occurrence of it was claimed, followed by the next or ended, and its definition
--                was not sealed anew; for comparison only
--         score  at which its next occurrence waits, false when it does not
-- cost    O(log n + size of the definition)
-- needs   checked_call
local function fingerprint_of(job, due, key)
  local at = redis.call('HMGET', job, 'revision', 'state', 'next', 'claimedOccurrence', 'attemptRevision', 'heldAttempt', 'definition')
  local score = checked_call('ZSCORE', due, 'job:' .. key)
  at[7] = redis.sha1hex(at[7] or '')
  for i = 1, 7 do at[i] = at[i] or '' end
  local text = table.concat(at, '|') .. (score and '|waits' or '')
  return string.find(text, '[\128-\255]') and redis.sha1hex(text) or text, score -- what is not UTF-8 would not come back as it was
end
