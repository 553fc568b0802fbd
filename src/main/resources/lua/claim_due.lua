-- claim_due: claim due entries of one partition for a node, oldest first. Defer entries that call a crowded destination and find no place there.
-- KEYS[1] zset  {17}:due
-- KEYS[2] hash  {17}:claims:<node>   "<attempt> claim=<token>" -> ISO instant of the claim
-- KEYS[3] hash  {17}:epochs          fences of collections
-- KEYS[4] hash  {17}:gates           disabled markers of collections
-- ARGV[1] int   due_by   epoch ms; later entries stay
-- ARGV[2] text  now      ISO
-- ARGV[3] int   limit    1..256 entries
-- ARGV[4] text  prefix   of the jobs' keys, "carillon:{17}:job:"
-- ARGV[5] text  token    of the claims, which this node gives no others; it is needed to end one of them
-- ARGV[6..]     crowded  for each crowded destination, at most 16:
--               authority  under which its deferred entries are indexed
--               origins    of URIs that call it, see definition; separated by spaces
--               places     it has for this claim
--               at         attempts that find no place are due after this; like the following in epoch ms, with fractions
--               spacing    between two of them
--               latest     last instant at which one is due; after it, the instants continue
--               restart    from here
-- derived hash  {17}:job:<job> of each entry; zset {17}:deferred:<authority>, zset {17}:deferrals, see deferral
-- returns {next, entry, ...}
--         next: the instant (epoch ms) of the earliest entry that stays in due, '' if none. Then, for each crowded destination, the number of
--           deferred entries and of places without a caller: " <deferred>/<places> ..."
--         entry: a claimed entry, an array of
--           attempt     the attempt; for a damaged entry the member as stored in due
--           definition  of its job, as stored; '' if the job is gone, or was deleted with its collection and waits to be swept
--           revision    the one that attempts of the job carry
--           state       as stored, '' if left out
--           next        as stored, '' if left out
--           created     as stored; if left out, the revision that the job got when it was last put
--           name        as stored, '' if left out
--           due         epoch ms, its score in due
--           hold        the widest marker that holds the job, see closed_marker; else '', or left out with 'stored'
--           stored      revision of the job, if its attempts carry another
--         or {job}, the key of a job whose pause is over: its entry stays and returns ten seconds later, until the job is enabled
--         or {jobs, again}, see parked_release: its entry stays and returns at the epoch ms 'again', until a node has removed it
-- cost    O(limit * log n); up to 256 entries where destinations are crowded; no more than about 1 MiB of definitions
-- include: checked_call
-- include: epoch_fence
-- include: unclaimed
-- include: closed_marker
-- include: take
-- include: definition
-- include: deferral
local list, claims, fences, gates = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local due_by, now, limit, prefix, token = ARGV[1], ARGV[2], math.max(1, tonumber(ARGV[3])), ARGV[4], ARGV[5]

local fenced = redis.call('EXISTS', fences) == 1 and fences
local any_disabled = redis.call('EXISTS', gates) == 1
local disabled = {}
local function marker_of(key)
  local collection = string.match(key, '^(.*)/')
  if disabled[collection] == nil then disabled[collection] = closed_marker(gates, collection, now) or false end
  return disabled[collection]
end
local reply, taken, claimed, later, bytes = {''}, {}, {}, {}, 0
local crowded, by_origin = {}, {}
for i = 6, #ARGV, 7 do
  local destination = {authority = ARGV[i], places = tonumber(ARGV[i + 2]), at = tonumber(ARGV[i + 3]), spacing = tonumber(ARGV[i + 4]),
    latest = tonumber(ARGV[i + 5]), restart = tonumber(ARGV[i + 6]), deferred = {}}
  crowded[#crowded + 1] = destination
  for origin in string.gmatch(ARGV[i + 1], '%S+') do by_origin[origin] = destination end
end
-- Returns the crowded destination of an entry, if it can be known: for the next occurrence of a job, or an attempt of the job as it is now.
-- An attempt that names a flow takes a place only after the flow admits it.
local function crowded_destination(member, key, kind, revision, at)
  local definition = at[1]
  if #crowded == 0 or at[3] or not definition or any_disabled and marker_of(key) then return nil end
  if kind == 'run' then
    if string.match(member, '^run:%S+ at=%S+ occurrence=%d+ main=%d+ revision=(%d+) crashes=%d+$') ~= revision then return nil end
  elseif not is_next(at) then
    return nil
  end
  if names_flow(definition) then return nil end
  return by_origin[origin_of(definition) or '']
end
local function is_conditional(member, definition) return string.find(member, ' crashes=[1-9]') or has_conditions(definition) end
-- The entry stays as it is, but for its instant.
local function defer(destination, member)
  destination.at = destination.at + destination.spacing
  if destination.at > destination.latest then destination.at = destination.restart end
  local at, deferred = string.format('%.0f', math.floor(destination.at)), destination.deferred
  later[#later + 1], deferred[#deferred + 1] = at, at
  later[#later + 1], deferred[#deferred + 1] = member, member
end
-- The script that ends the pause removes its entry. An entry that another pause left behind is removed here.
local function resume(member, key, job, at)
  local pause = at[2] and at[3] == 'disabled' and redis.call('HGET', job, 'pause')
  if pause and ends_automatically(pause) then
    redis.call('ZADD', list, string.format('%.0f', tonumber(due_by) + 10000), member)
    reply[#reply + 1] = {key}
  else
    redis.call('ZREM', list, member)
  end
end
-- A node releases the parked attempts and then removes the entry. If the node fails, the entry returns.
local function hand_out_release(member, key)
  local again = string.format('%.0f', tonumber(due_by) + 10000)
  redis.call('ZADD', list, again, member)
  reply[#reply + 1] = {key, again}
end
local function claim(member, instant, kind, key, at, strange)
  local attempt = kind == 'run' and unclaimed(member) or member
  if kind == 'job' and is_next(at) then attempt = first_attempt(key, at) end
  taken[#taken + 1] = member
  if kind == 'run' or at[4] or strange then
    claimed[#claimed + 1] = attempt .. ' claim=' .. token
    claimed[#claimed + 1] = now
    reply[#reply + 1] = item_of(attempt, at, instant, any_disabled and not strange and marker_of(key) or nil)
  end
end
local function look_at(member, instant)
  local kind, key, at, strange = read_entry(member, prefix, fenced)
  if kind == 'resume' and not strange then return resume(member, key, prefix .. key, at) end
  if kind == 'release' and not strange then return hand_out_release(member, key) end
  local destination = not strange and crowded_destination(member, key, kind, at[9] or at[2], at)
  local has_place = destination and destination.places > 0
  bytes = bytes + #(at[1] or '')
  if destination and not has_place and not is_conditional(member, at[1]) then return defer(destination, member) end
  if has_place then destination.places = destination.places - 1 end
  claim(member, instant, kind, key, at, strange)
end
local function has_enough() return bytes > MAX_BYTES or #claimed >= 2 * limit end
local looked = 0
repeat
  local entries = checked_call('ZRANGE', list, '-inf', due_by, 'BYSCORE', 'LIMIT', looked, limit, 'WITHSCORES')
  for i = 1, #entries, 2 do
    if has_enough() then break end
    look_at(entries[i], entries[i + 1])
  end
  looked = looked + limit
until #crowded == 0 or #entries < 2 * limit or has_enough() or looked >= 256
if #claimed > 0 then checked_call('HSET', claims, unpack(claimed)) end
if #taken > 0 then redis.call('ZREM', list, unpack(taken)) end
if #later > 0 then redis.call('ZADD', list, unpack(later)) end
local first = redis.call('ZRANGE', list, 0, 0, 'WITHSCORES')
reply[1] = first[2] or ''
for _, destination in ipairs(crowded) do
  local deferred = destination.deferred
  if #deferred > 0 then index_deferred(list, destination.authority, deferred) end
  reply[1] = reply[1] .. ' ' .. #deferred / 2 .. '/' .. destination.places
end
return reply
