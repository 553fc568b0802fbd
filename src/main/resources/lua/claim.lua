-- claim: claim what is due in one partition for a node, oldest first.
-- KEYS[1] zset  {17}:due           or waiting:<flow>, of which all is due
-- KEYS[2] hash  {17}:claims:<node>   "<attempt> claim=<token>" -> ISO instant of the claim
-- KEYS[3] hash  {17}:epochs          fences of collections
-- KEYS[4] hash  {17}:gates           disabled markers of collections
-- ARGV[1] int   due_by   epoch ms, or +inf; what is due later stays
-- ARGV[2] text  now      ISO
-- ARGV[3] int   limit    1..256 entries
-- ARGV[4] text  prefix   of the jobs' keys, "carillon:{17}:job:"
-- ARGV[5] text  token    of the claims, which this node gives no others: who ends one names it
-- derived hash  {17}:job:<job> of each entry
-- returns {next, entry, ...}
--         next: the instant (epoch ms) of the earliest entry that stays in due, '' if none
--         entry: what is claimed, an array of
--           attempt     the attempt; of a damaged entry the member as it stands in due
--           definition  of its job, as stored; '' when the job is gone, or went with its collection and waits to be swept
--           revision    the one that attempts of the job carry
--           state       as stored, '' where it is left out
--           next        as stored, '' where it is left out
--           created     as stored; where it is left out the revision that the job got when it was put last
--           name        as stored, '' where it is left out
--           due         epoch ms at which it stood in due
--           hold        'hold' where the collection is disabled; else '', or left out with what follows
--           stored      revision of the job, where its attempts carry another
--         or {job}, the key of a job whose pause is over: its entry stays and comes again ten seconds later, until the job is enabled
-- cost    O(limit * log n), and no more than about 1 MiB of definitions
-- include: checked_call
-- include: epoch_fence
-- include: unclaimed
local list, claims, fences, gates = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local due_by, now, limit, prefix, token = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]

local fenced = redis.call('EXISTS', fences) == 1
local any_disabled = redis.call('EXISTS', gates) == 1
local disabled = {}
local function is_disabled(key)
  local collection = string.match(key, '^(.*)/')
  if disabled[collection] == nil then disabled[collection] = string.sub(checked_call('HGET', gates, collection) or '', 1, 7) == 'closed ' end
  return disabled[collection]
end
local reply, taken, claimed, bytes = {''}, {}, {}, 0
-- The entry goes with the pause, in the script that ends that; what is left of another pause goes here.
local function resume(member, key, job, at)
  local pause = at[2] and at[3] == 'disabled' and redis.call('HGET', job, 'pause')
  if pause and string.find(pause, '"until":', 1, true) then
    redis.call('ZADD', list, string.format('%.0f', tonumber(due_by) + 10000), member)
    reply[#reply + 1] = {key}
  else
    redis.call('ZREM', list, member)
  end
end
local entries = checked_call('ZRANGE', list, '-inf', due_by, 'BYSCORE', 'LIMIT', 0, limit, 'WITHSCORES')
for i = 1, #entries, 2 do
  if bytes > 1048576 then break end
  local member, instant = entries[i], entries[i + 1]
  local kind, key = string.match(member, '^(%a+):(%S+)')
  -- What cannot be understood is claimed as it is: the caller puts it into quarantine.
  local strange = not (key and (kind == 'job' or kind == 'run' or kind == 'resume') and string.find(key, '^[^/]+/[^/]+/[^/]+/[^/]+$'))
  local job = prefix .. (key or member)
  local at = redis.pcall('HMGET', job, 'definition', 'revision', 'state', 'next', 'created', 'name', 'occurrence', 'epoch', 'attemptRevision', 'putRevision')
  strange = strange or at.err
  if fenced and not strange then
    local _, dead = fence_of(fences, key)
    if (tonumber(at[8]) or 0) <= dead then at = {} end
  end
  if kind == 'resume' and not strange then
    resume(member, key, job, at)
  else
    local attempt = kind == 'run' and unclaimed(member) or member
    local revision = at[9] or at[2]
    if kind == 'job' and at[1] and at[2] and at[4] and tonumber(at[7] or 1) then
      attempt = 'run:' .. key .. ' at=' .. at[4] .. ' occurrence=' .. (at[7] or 1) .. ' main=1 revision=' .. revision .. ' crashes=0'
    end
    taken[#taken + 1] = member
    if kind == 'run' or at[4] or strange then
      claimed[#claimed + 1] = attempt .. ' claim=' .. token
      claimed[#claimed + 1] = now
      reply[#reply + 1] = {attempt, at[1] or '', revision or '', at[3] or '', at[4] or '', at[5] or at[10] or at[2] or '', at[6] or '',
        instant, any_disabled and not strange and is_disabled(key) and 'hold' or at[9] and '' or nil, at[9] and at[2] or nil}
      bytes = bytes + #(at[1] or '')
    end
  end
end
if #claimed > 0 then checked_call('HSET', claims, unpack(claimed)) end
if #taken > 0 then redis.call('ZREM', list, unpack(taken)) end
local first = redis.call('ZRANGE', list, 0, 0, 'WITHSCORES')
reply[1] = first[2] or ''
return reply
