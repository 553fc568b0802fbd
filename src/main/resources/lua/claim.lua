-- claim: claim what is due in one partition for a node, oldest first; put off what calls a destination without a free place.
-- KEYS[1] zset  {17}:due           or waiting:<flow>, of which all is due
-- KEYS[2] hash  {17}:claims:<node>   "<attempt> claim=<token>" -> ISO instant of the claim
-- KEYS[3] hash  {17}:epochs          fences of collections
-- KEYS[4] hash  {17}:gates           disabled markers of collections
-- ARGV[1] int   due_by   epoch ms, or +inf; what is due later stays
-- ARGV[2] text  now      ISO
-- ARGV[3] int   limit    1..256 entries
-- ARGV[4] text  prefix   of the jobs' keys, "carillon:{17}:job:"
-- ARGV[5] text  token    of the claims, which this node gives no others: who ends one names it
-- ARGV[6..]     full     for each destination without a free place, at most 4: how the action of its jobs begins in their definitions,
--                        and four times in epoch ms, which may have fractions: attempts that call it are due again one spacing after the other,
--                        after 'at'; where that comes behind 'latest' it goes on from 'restart': text, at, spacing, latest, restart
-- derived hash  {17}:job:<job> of each entry
-- returns {next, entry, ...}
--         next: the instant (epoch ms) of the earliest entry that stays in due, '' if none; behind it how many were put off of each of 'full'
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
-- cost    O(limit * log n), where some are put off up to O(256 * log n), and no more than about 1 MiB of definitions
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
local reply, taken, claimed, later, bytes = {''}, {}, {}, {}, 0
local full = {}
for i = 6, #ARGV, 5 do
  full[#full + 1] = {text = ARGV[i], at = tonumber(ARGV[i + 1]), spacing = tonumber(ARGV[i + 2]),
    latest = tonumber(ARGV[i + 3]), restart = tonumber(ARGV[i + 4]), count = 0}
end
-- What may keep an attempt from being made now, or ever: then the node decides.
local conditions = {'"flow":', '"startWithin":', '"calendars":'}
-- Which of them an attempt calls that is to be made.
local function full_destination(attempt, definition, revision, state)
  if #full == 0 or state or any_disabled or not definition then return nil end
  if string.match(attempt, '^run:%S+ at=%S+ occurrence=%d+ main=%d+ revision=(%d+) crashes=0$') ~= revision then return nil end
  for _, name in ipairs(conditions) do
    if string.find(definition, name, 1, true) then return nil end
  end
  for _, destination in ipairs(full) do
    if string.find(definition, destination.text, 1, true) then return destination end
  end
end
-- As release leaves it.
local function put_off(destination, member, attempt)
  destination.count, destination.at = destination.count + 1, destination.at + destination.spacing
  if destination.at > destination.latest then destination.at = destination.restart end
  if member ~= attempt then taken[#taken + 1] = member end
  later[#later + 1] = string.format('%.0f', destination.at)
  later[#later + 1] = attempt
end
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
local function look_at(member, instant)
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
    if kind == 'job' and at[1] and at[2] and at[4] and (not at[7] or string.find(at[7], '^[1-9]%d*$') and tonumber(at[7]) < 2147483648) then
      attempt = 'run:' .. key .. ' at=' .. at[4] .. ' occurrence=' .. (at[7] or 1) .. ' main=1 revision=' .. revision .. ' crashes=0'
    end
    local destination = not strange and full_destination(attempt, at[1], revision, at[3])
    bytes = bytes + #(at[1] or '')
    if destination then
      put_off(destination, member, attempt)
    else
      taken[#taken + 1] = member
      if kind == 'run' or at[4] or strange then
        claimed[#claimed + 1] = attempt .. ' claim=' .. token
        claimed[#claimed + 1] = now
        reply[#reply + 1] = {attempt, at[1] or '', revision or '', at[3] or '', at[4] or '', at[5] or at[10] or at[2] or '', at[6] or '',
          instant, any_disabled and not strange and is_disabled(key) and 'hold' or at[9] and '' or nil, at[9] and at[2] or nil}
      end
    end
  end
end
local function has_enough() return bytes > 1048576 or #claimed >= 2 * limit end
local looked = 0
repeat
  local entries = checked_call('ZRANGE', list, '-inf', due_by, 'BYSCORE', 'LIMIT', looked, limit, 'WITHSCORES')
  for i = 1, #entries, 2 do
    if has_enough() then break end
    look_at(entries[i], entries[i + 1])
  end
  looked = looked + limit
until #full == 0 or #entries < 2 * limit or has_enough() or looked >= 256
if #claimed > 0 then checked_call('HSET', claims, unpack(claimed)) end
if #taken > 0 then redis.call('ZREM', list, unpack(taken)) end
if #later > 0 then redis.call('ZADD', list, unpack(later)) end
local first = redis.call('ZRANGE', list, 0, 0, 'WITHSCORES')
reply[1] = first[2] or ''
for _, destination in ipairs(full) do reply[1] = reply[1] .. ' ' .. destination.count end
return reply
