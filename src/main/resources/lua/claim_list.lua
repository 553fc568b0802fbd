-- claim_list: claim the first attempts of a waiting list for a node.
-- KEYS[1] zset  {17}:list:<cause>    attempt -> score; the least is first
-- KEYS[2] zset  {17}:lists           causes whose lists have members -> 0
-- KEYS[3] hash  {17}:claims:<node>   "<attempt> claim=<token>" -> ISO instant of the claim
-- KEYS[4] hash  {17}:epochs          fences of collections
-- KEYS[5] hash  {17}:gates           disabled markers of collections
-- ARGV[1] text  cause    flow:<lane>
-- ARGV[2] text  now      ISO
-- ARGV[3] int   limit    1..256 attempts
-- ARGV[4] text  prefix   of the jobs' keys, "carillon:{17}:job:"
-- ARGV[5] text  token    of the claims; this node gives it to no other claims
-- derived hash  {17}:job:<job> of each attempt
-- returns {next, item, ...}
--         next: score of the first attempt that is left, '' if none
--         item: of a claimed attempt, see claim_due; its instant is the score
-- cost    O(limit * log n); no more than about 1 MiB of definitions
-- include: checked_call
-- include: epoch_fence
-- include: unclaimed
-- include: closed_marker
-- include: take
local list, lists, claims, fences, gates = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local cause, now, limit, prefix, token = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]

local known_fences = redis.call('EXISTS', fences) == 1 and fences
local any_disabled = redis.call('EXISTS', gates) == 1
local reply, taken, claimed, bytes = {''}, {}, {}, 0
local entries = checked_call('ZRANGE', list, 0, limit - 1, 'WITHSCORES')
for i = 1, #entries, 2 do
  if bytes > MAX_BYTES then break end
  local member = entries[i]
  local kind, key, at, strange = read_entry(member, prefix, known_fences)
  local attempt = kind == 'run' and unclaimed(member) or member
  bytes = bytes + #(at[1] or '')
  taken[#taken + 1] = member
  claimed[#claimed + 1] = attempt .. ' claim=' .. token
  claimed[#claimed + 1] = now
  local marker = any_disabled and not strange and closed_marker(gates, string.match(key, '^(.*)/'), now) or nil
  reply[#reply + 1] = item_of(attempt, at, entries[i + 1], marker)
end
if #taken > 0 then
  checked_call('HSET', claims, unpack(claimed))
  redis.call('ZREM', list, unpack(taken))
end
local first = redis.call('ZRANGE', list, 0, 0, 'WITHSCORES')
if first[2] then reply[1] = first[2] else checked_call('ZREM', lists, cause) end
return reply
