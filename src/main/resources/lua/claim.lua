-- claim: claim what is due in one partition for a node, oldest first; put off what calls a crowded destination and finds no place there, and
-- claim what was put off as soon as it finds one.
-- KEYS[1] zset  {17}:due           or waiting:<flow>, of which all is due
-- KEYS[2] hash  {17}:claims:<node>   "<attempt> claim=<token>" -> ISO instant of the claim
-- KEYS[3] hash  {17}:epochs          fences of collections
-- KEYS[4] hash  {17}:gates           disabled markers of collections
-- ARGV[1] int   due_by   epoch ms, or +inf; what is due later stays, but for what was put off and finds a place
-- ARGV[2] text  now      ISO
-- ARGV[3] int   limit    1..256 entries
-- ARGV[4] text  prefix   of the jobs' keys, "carillon:{17}:job:"
-- ARGV[5] text  token    of the claims, which this node gives no others: who ends one names it
-- ARGV[6] text  put_off_after  epoch ms; behind this, and behind due_by, what was put off is looked at as well,
-- ARGV[7] int   put_off_by     up to this, epoch ms
-- ARGV[8..]     crowded  for each crowded destination, at most 4: how the action of its jobs begins in their definitions; how many places it has
--                        for this claim; and four times in epoch ms, which may have fractions: attempts that find no place are put off,
--                        due one spacing after the other, after 'at'; where that comes behind 'latest' it goes on from 'restart':
--                        text, places, at, spacing, latest, restart
-- derived hash  {17}:job:<job> of each entry
-- returns {next, entry, ...}
--         next: the instant (epoch ms) of the earliest entry that stays in due, '' if none; behind it, where there are
--           'crowded', the instant up to which what was put off was looked at, '-' where that was all; and for each of them how many were put off,
--           and how many places found no caller: " <instant> <put off>/<places> ..."
--         entry: what is claimed, an array of
--           attempt     the attempt; of a damaged entry the member as it stands in due
--           definition  of its job, as stored; '' when the job is gone, or went with its collection and waits to be swept
--           revision    the one that attempts of the job carry
--           state       as stored, '' where it is left out
--           next        as stored, '' where it is left out
--           created     as stored; where it is left out the revision that the job got when it was put last
--           name        as stored, '' where it is left out
--           due         epoch ms at which it stood in due
--           hold        the widest marker that holds the job back, see closed_marker; else '', or left out with what follows
--           stored      revision of the job, where its attempts carry another
--         or {job}, the key of a job whose pause is over: its entry stays and comes again ten seconds later, until the job is enabled
-- cost    O(limit * log n); where destinations are crowded up to 256 entries that are due, 256 that were put off and 1,024 to find these;
--         no more than about 1 MiB of definitions
-- include: checked_call
-- include: epoch_fence
-- include: unclaimed
-- include: closed_marker
local list, claims, fences, gates = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local due_by, now, limit, prefix, token, put_off_after, put_off_by =
  ARGV[1], ARGV[2], math.max(1, tonumber(ARGV[3])), ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local fenced = redis.call('EXISTS', fences) == 1
local any_disabled = redis.call('EXISTS', gates) == 1
local disabled = {}
local function marker_of(key)
  local collection = string.match(key, '^(.*)/')
  if disabled[collection] == nil then disabled[collection] = closed_marker(gates, collection, now) or false end
  return disabled[collection]
end
local reply, taken, claimed, later, bytes = {''}, {}, {}, {}, 0
local crowded = {}
for i = 8, #ARGV, 6 do
  crowded[#crowded + 1] = {text = ARGV[i], places = tonumber(ARGV[i + 1]), at = tonumber(ARGV[i + 2]), spacing = tonumber(ARGV[i + 3]),
    latest = tonumber(ARGV[i + 4]), restart = tonumber(ARGV[i + 5]), count = 0}
end
local function has_places()
  for _, destination in ipairs(crowded) do
    if destination.places > 0 then return true end
  end
  return false
end
-- Whether a job has a next occurrence, with a number that can be read.
local function is_next(at)
  return at[1] and at[2] and at[4] and (not at[7] or string.find(at[7], '^[1-9]%d*$') and tonumber(at[7]) < 2147483648)
end
-- Which of them an entry calls, as far as it can be seen: the next occurrence of a job, or an attempt of the job as it is.
-- What names a flow takes a place when the flow lets it, and not before.
local function crowded_destination(member, key, kind, revision, at)
  local definition = at[1]
  if #crowded == 0 or at[3] or not definition or any_disabled and marker_of(key) then return nil end
  if kind == 'run' then
    if string.match(member, '^run:%S+ at=%S+ occurrence=%d+ main=%d+ revision=(%d+) crashes=%d+$') ~= revision then return nil end
  elseif not is_next(at) then
    return nil
  end
  if string.find(definition, '"flow":', 1, true) then return nil end
  for _, destination in ipairs(crowded) do
    if string.find(definition, destination.text, 1, true) then return destination end
  end
end
-- What may keep an attempt from being made now, or ever: then the node decides.
local function is_conditional(member, definition)
  return string.find(member, ' crashes=[1-9]') or string.find(definition, '"startWithin":', 1, true) or string.find(definition, '"calendars":', 1, true)
end
-- The entry stays as it is, but for its instant: the half of a millisecond tells that it waits for a place, and for nothing else.
local PUT_OFF = '.5'
local function put_off(destination, member)
  destination.count, destination.at = destination.count + 1, destination.at + destination.spacing
  if destination.at > destination.latest then destination.at = destination.restart end
  later[#later + 1] = string.format('%.0f', math.floor(destination.at)) .. PUT_OFF
  later[#later + 1] = member
end
local last_due = tonumber(due_by)
-- Where the clock was set back since, it may lie ahead again.
local function is_past(instant) return string.sub(instant, 1, -2) <= string.sub(now, 1, -2) end
local function is_later(instant) return tonumber(instant) > last_due end
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
    local revision = at[9] or at[2]
    local destination = not strange and crowded_destination(member, key, kind, revision, at)
    local has_place = destination and destination.places > 0
    bytes = bytes + #(at[1] or '')
    if is_later(instant) then
      if not has_place or not is_past(kind == 'job' and at[4] or string.match(member, ' at=(%S+)')) then return end
      instant = due_by
    end
    if destination and not has_place and not is_conditional(member, at[1]) then
      put_off(destination, member)
    else
      if has_place then destination.places = destination.places - 1 end
      local attempt = kind == 'run' and unclaimed(member) or member
      if kind == 'job' and is_next(at) then
        attempt = 'run:' .. key .. ' at=' .. at[4] .. ' occurrence=' .. (at[7] or 1) .. ' main=1 revision=' .. revision .. ' crashes=0'
      end
      taken[#taken + 1] = member
      if kind == 'run' or at[4] or strange then
        claimed[#claimed + 1] = attempt .. ' claim=' .. token
        claimed[#claimed + 1] = now
        reply[#reply + 1] = {attempt, at[1] or '', revision or '', at[3] or '', at[4] or '', at[5] or at[10] or at[2] or '', at[6] or '',
          instant, any_disabled and not strange and marker_of(key) or at[9] and '' or nil, at[9] and at[2] or nil}
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
until #crowded == 0 or #entries < 2 * limit or has_enough() or looked >= 256
local function is_put_off(instant) return string.sub(instant, -#PUT_OFF) == PUT_OFF end
-- Who waits for a place may stand behind others who do, and behind what is to come. A look goes on behind an instant of which it has seen all.
local function look_ahead()
  local after = '(' .. string.format('%.17g', math.max(last_due, tonumber(put_off_after)))
  local seen, before, instant = 0, put_off_after, put_off_after
  for offset = 0, 1023, 128 do
    local entries = redis.call('ZRANGE', list, after, put_off_by, 'BYSCORE', 'LIMIT', offset, 128, 'WITHSCORES')
    for i = 1, #entries, 2 do
      if entries[i + 1] ~= instant then before, instant = instant, entries[i + 1] end
      if seen >= 256 and before == put_off_after then return instant end
      if has_enough() or seen >= 256 or not has_places() then return before end
      if is_put_off(instant) then
        seen = seen + 1
        look_at(entries[i], instant)
      end
    end
    if #entries < 256 then return '-' end
  end
  return is_put_off(instant) and before ~= put_off_after and before or instant
end
local looked_ahead = put_off_after
if tonumber(put_off_by) > last_due and not has_enough() and has_places() then looked_ahead = look_ahead() end
if #claimed > 0 then checked_call('HSET', claims, unpack(claimed)) end
if #taken > 0 then redis.call('ZREM', list, unpack(taken)) end
if #later > 0 then redis.call('ZADD', list, unpack(later)) end
local first = redis.call('ZRANGE', list, 0, 0, 'WITHSCORES')
reply[1] = first[2] or ''
if #crowded > 0 then reply[1] = reply[1] .. ' ' .. looked_ahead end
for _, destination in ipairs(crowded) do reply[1] = reply[1] .. ' ' .. destination.count .. '/' .. destination.places end
return reply
