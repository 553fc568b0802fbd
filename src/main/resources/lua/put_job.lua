-- put_job: write a job's definition, index entry and next occurrence, all or nothing. Cases that create_jobs can handle do not come here.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] zset  {17}:due            member -> epoch ms
-- KEYS[3] zset  {17}:jobs:<coll>    "<state>/<job name>" -> 0
-- KEYS[4] hash  {17}:epochs         fences of collections
-- KEYS[5] stream {17}:audit         changes by clients
-- ARGV[1] text  key of the job       sub/group/coll/job
-- ARGV[2] text  condition            any | absent | present | the revision that must be current
-- ARGV[3] int   now                  epoch ms; the new revision, or the old one plus 1 if that is greater
-- ARGV[4] text  now                  ISO
-- ARGV[5] text  name                 collection/job, in the given case, '' for that of the key; an existing job keeps its own
-- ARGV[6] text  definition           JSON
-- ARGV[7] text  state                enabled | disabled
-- ARGV[8] text  next                 ISO, or '' if no occurrence waits
-- ARGV[9] int   due                  epoch ms at which next is due, or the pause of a disabled job ends
-- ARGV[10] text mode                 replace (counters start again) | change (counters stay) | words (only the definition changes: executions under
--                                    way continue, and ARGV[8..9], ARGV[14] and ARGV[17..20] are ignored)
-- ARGV[11] int  epoch                of the collection, as the writer knows it
-- ARGV[12..13]                      see audit_append
-- ARGV[14] text local                local time of next, '' for none
-- ARGV[15] text audited              "definition" if the audit entry of a new job must hold its definition, else ''
-- Only for an existing job, which the writer has read (read_job):
-- ARGV[16] text fingerprint          as it was read
-- ARGV[17] text waiting              the member of due that waits from now on, '' for none; "resume:<job>" ends a pause
-- ARGV[18] int  skipped              number of due occurrences that this change drops before they begin
-- ARGV[19] text entry                history entry of the dropped occurrences, '' for none
-- ARGV[20] text bounds               of the history
-- ARGV[21..]    name, value, ...     changed fields of its schedule, and its marks
-- derived zset  {17}:lists, see parked_release; list {17}:history:<job>, removed if it belongs to a deleted job of the same name
-- Fields with their default value are not written: state for enabled, created while it is the instant of the last PUT's revision, name
-- in the case of the key.
-- returns text: "CREATED <revision>", "REPLACED <revision> <name>", "REFUSED", "RETIRED": the writer must ask for the collection again,
--         or "MOVED": nothing is changed, because the writer has not read the current job; read it again
-- cost    O(log n + size of the definition)
-- behind: repair
-- include: checked_call
-- include: epoch_fence
-- include: audit_append
-- include: new_job
local job, due, index, fences = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local key, condition, now, now_iso, name = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local definition, state, next_iso, due_at, mode = ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local epoch, local_time = tonumber(ARGV[11]), ARGV[14]

local retired, dead = fence_of(fences, key)
if epoch <= retired then return 'RETIRED' end
local found = redis.call('HMGET', job, 'revision', 'deleted')
local revision, deleted = found[1], found[2]
local former = revision and #revision <= 15 and tonumber(revision) or 0 -- 0 for an invalid revision, caused by a manual change or a bug
if revision and dead >= 0 and (tonumber(redis.call('HGET', job, 'epoch')) or 0) <= dead then
  redis.call('ZREM', due, 'job:' .. key)
  redis.call('UNLINK', job, (string.gsub(job, ':job:', ':history:', 1)))
  now = string.format('%.0f', math.max(tonumber(now), former + 1))
  revision = false
end
local met = condition == 'any' or (condition == 'absent' and not revision)
  or (revision and (condition == 'present' or condition == revision))
if not met then return 'REFUSED' end

local waits = next_iso ~= ''
local short_name = string.match(key, '.*/(.*)')

-- The audit entry comes first: a change that cannot be logged is not made.
if not revision then
  if ARGV[15] == 'definition' then
    audit_append(KEYS[5], 12, key, 'state', state, audited_form('after', definition, ARGV[13]))
  else
    audit_append(KEYS[5], 12, key, 'state', state)
  end
  if deleted then
    redis.call('DEL', job) -- left by a deletion, see delete_job
    now = string.format('%.0f', math.max(tonumber(now), (tonumber(deleted) or 0) + 1))
  end
  write_new_job(job, due, index, 'job:' .. key, short_name, now, definition, state, ARGV[11], next_iso, due_at)
  if local_time ~= '' then redis.call('HSET', job, 'local', local_time) end
  if name ~= '' then redis.call('HSET', job, 'name', name) end
  if now ~= ARGV[3] then redis.call('HSET', job, 'created', now_iso) end
  if deleted then redis.call('HSET', job, 'firstRevision', now) end
  return 'CREATED ' .. now
end

-- Not at the head, because a new job does not need them.
-- include: history
-- include: fingerprint
-- include: parked_release
local as_read, unclaimed = fingerprint_of(job, due, key)
if as_read ~= ARGV[16] then return 'MOVED' end
local new_revision = string.format('%.0f', math.max(tonumber(now), former + 1))
local function note(old_state, before)
  if before == definition then
    audit_append(KEYS[5], 12, key, 'was', old_state, 'state', state)
  else
    local was, old_form = audited_form('before', before, ARGV[13])
    audit_append(KEYS[5], 12, key, 'was', old_state, 'state', state, was, old_form, audited_form('after', definition, ARGV[13]))
  end
end
if mode == 'words' then
  local was = redis.call('HMGET', job, 'state', 'name', 'definition', 'openExecutions', 'requestedAt', 'claimedOccurrence', 'next')
  note(was[1] or 'enabled', was[3] or '')
  if was[4] or was[5] or was[6] or (was[7] and not unclaimed) then release_parked(due, key, ARGV[3]) end
  redis.call('HSETNX', job, 'attemptRevision', revision)
  redis.call('HSETNX', job, 'putRevision', revision)
  redis.call('HSET', job, 'definition', definition, 'revision', new_revision, 'modified', now_iso, unpack(ARGV, 21))
  return 'REPLACED ' .. new_revision .. ' ' .. (was[2] or '')
end
local waiting, skipped, entry = ARGV[17], tonumber(ARGV[18]), ARGV[19]
local old = redis.call('HMGET', job, 'state', 'historyBytes', 'putRevision', 'name', 'definition', 'skipped', 'openExecutions', 'lastOccurrenceTaken', 'requestedAt', 'firstRevision', 'latest', 'pause', 'claimedOccurrence', 'next', 'occurrence', 'attemptRevision')
local old_state, put_revision, old_name = old[1] or 'enabled', old[3], old[4] or ''
note(old_state, old[5] or '')
local in_flight = old[7] or old[9] or old[13] or (old[14] and not unclaimed)
if in_flight then release_parked(due, key, ARGV[3]) end
-- The first attempt of an occurrence may be deferred for a place at its destination. The change may replace that destination.
if old[14] and not unclaimed then
  local attempt = 'run:' .. key .. ' at=' .. old[14] .. ' occurrence=' .. (old[15] or 1) .. ' main=1 revision=' .. (old[16] or revision) .. ' crashes=0'
  checked_call('ZADD', due, 'XX', ARGV[3], attempt)
end
if waiting ~= '' then redis.call('ZADD', due, due_at, waiting) end
if old_state ~= state then
  redis.call('ZREM', index, old_state .. '/' .. short_name)
  redis.call('ZADD', index, 0, state .. '/' .. short_name)
end
if waiting ~= 'job:' .. key then redis.call('ZREM', due, 'job:' .. key) end
if old[12] and waiting ~= 'resume:' .. key then redis.call('ZREM', due, 'resume:' .. key) end

local fields = {'definition', definition, 'revision', new_revision}
local function set(field, value)
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
if entry ~= '' then
  append_history((string.gsub(job, ':job:', ':history:', 1)), old[11], old[2], entry, ARGV[20], fields)
elseif mode ~= 'change' then
  if old[11] then set('latest', old[11]) end
  if old[2] then set('historyBytes', old[2]) end
end
-- With the field attemptRevision, the execution under way continues, and so does its count.
local goes_on = false
for i = 21, #ARGV, 2 do goes_on = goes_on or ARGV[i] == 'attemptRevision' end
if mode == 'change' then
  redis.call('HDEL', job, 'state', 'next', 'local', 'attemptRevision', 'heldAttempt', 'pause', 'streak')
  if not goes_on then redis.call('HDEL', job, 'openExecutions', 'lastOccurrenceTaken') end
  set('putRevision', put_revision or revision)
  set('modified', now_iso)
  if skipped > 0 then set('skipped', (tonumber(old[6]) or 0) + skipped) end
else
  redis.call('DEL', job)
  if string.lower(old_name) == string.match(key, '[^/]+/[^/]+$') then set('name', old_name) end
  if new_revision ~= now then set('created', now_iso) end
  if epoch > 0 then set('epoch', epoch) end
  if goes_on and old[7] then set('openExecutions', old[7]) end
  if goes_on and old[8] then set('lastOccurrenceTaken', old[8]) end
  if old[9] then set('requestedAt', old[9]) end
  if old[10] then set('firstRevision', old[10]) end
end
if state ~= 'enabled' then set('state', state) end
if waits then set('next', next_iso) end
if local_time ~= '' then set('local', local_time) end
for i = 21, #ARGV do fields[#fields + 1] = ARGV[i] end
redis.call('HSET', job, unpack(fields))
return 'REPLACED ' .. new_revision .. ' ' .. old_name
