-- claim_deferred: claim entries of due that wait for places at some destinations, before their instant, because there are places now.
-- KEYS[1] zset  {17}:due
-- KEYS[2] hash  {17}:claims:<node>   "<attempt> claim=<token>" -> ISO instant of the claim
-- KEYS[3] hash  {17}:epochs          fences of collections
-- KEYS[4] hash  {17}:gates           disabled markers of collections
-- ARGV[1] int   due_by   epoch ms, now
-- ARGV[2] text  now      ISO
-- ARGV[3] int   limit    1..256 attempts
-- ARGV[4] text  prefix   of the jobs' keys, "carillon:{17}:job:"
-- ARGV[5] text  token    of the claims; this node gives it to no other claims
-- ARGV[6..]     destinations  for each: authority, places
-- derived zset  {17}:deferred:<authority> of each, zset {17}:deferrals; hash {17}:job:<job> of each entry
-- returns {left, item, ...}
--         left: for each destination, how many places found no caller, and how many entries its index still has: "<places>/<entries> ..."
--         item: of a claimed attempt, see claim_due
-- cost    O(limit * log n), and up to 1,024 void entries of each index; no more than about 1 MiB of definitions
-- include: checked_call
-- include: epoch_fence
-- include: unclaimed
-- include: closed_marker
-- include: take
local due, claims, fences, gates = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local due_by, now, limit, prefix, token = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]

local slot = string.gsub(due, 'due$', '')
local deferrals = slot .. 'deferrals'
local known_fences = redis.call('EXISTS', fences) == 1 and fences
local any_disabled = redis.call('EXISTS', gates) == 1
local reply, taken, claimed, heads, bytes = {''}, {}, {}, {}, 0
-- If the clock was set back, the nominal instant may lie ahead again.
local function is_past(instant) return string.sub(instant, 1, -2) <= string.sub(now, 1, -2) end

-- Whether the index still needs the entry: it is valid, and not claimed.
local function stays(member)
  local kind, key, at, strange = read_entry(member, prefix, known_fences)
  local nominal = not strange and (kind == 'run' and string.match(member, ' at=(%S+)') or kind == 'job' and is_next(at) and at[4])
  if not nominal then return false end -- a claim at its instant finds out what it is
  if not is_past(nominal) then return true end
  bytes = bytes + #(at[1] or '')
  local attempt = kind == 'run' and unclaimed(member) or first_attempt(key, at)
  local marker = any_disabled and closed_marker(gates, string.match(key, '^(.*)/'), now) or nil
  taken[#taken + 1] = member
  claimed[#claimed + 1] = attempt .. ' claim=' .. token
  claimed[#claimed + 1] = now
  reply[#reply + 1] = item_of(attempt, at, due_by, marker)
  return false
end

local function claim_from(index, places)
  local kept, seen = 0, 0
  while places > 0 and seen < 1024 and #taken < limit and bytes <= MAX_BYTES do
    local entries = checked_call('ZRANGE', index, kept, kept + math.min(256, math.max(16, places)) - 1, 'WITHSCORES')
    if #entries == 0 then break end
    local members, done = {}, {}
    for i = 1, #entries, 2 do members[#members + 1] = entries[i] end
    local scores = checked_call('ZMSCORE', due, unpack(members))
    for i, member in ipairs(members) do
      if places == 0 or #taken >= limit or bytes > MAX_BYTES then break end
      seen = seen + 1
      local before = #taken
      if scores[i] == entries[2 * i] and stays(member) then
        kept = kept + 1
      else
        done[#done + 1] = member
        places = places - (#taken - before)
      end
    end
    if #done > 0 then redis.call('ZREM', index, unpack(done)) end
  end
  return places
end

for i = 6, #ARGV, 2 do
  local index = slot .. 'deferred:' .. ARGV[i]
  local places = claim_from(index, tonumber(ARGV[i + 1]))
  local rest = checked_call('ZCARD', index)
  if rest == 0 then checked_call('ZREM', deferrals, ARGV[i]) end
  heads[#heads + 1] = places .. '/' .. rest
end
reply[1] = table.concat(heads, ' ')
if #taken > 0 then
  checked_call('HSET', claims, unpack(claimed))
  redis.call('ZREM', due, unpack(taken))
end
return reply
