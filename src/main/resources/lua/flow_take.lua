-- flow_take: grant a node tokens of a flow, each good for one call. The node's report about its calls is counted first.
-- KEYS[1] hash  flow:<flow>   its state; expires when it is as good as new. Fields "<field>@<destination>" belong to one destination:
--                             breaker, Retry-After. Rate, parallelism and the count of begun calls are common to all
-- ARGV[1] text  node
-- ARGV[2] text  call          "<process> <number>": a number not above the last one of its process marks a repeat
-- ARGV[3] int   now           epoch ms
-- ARGV[4] int   lease         ms after its last call at which the slots of a node are free
-- ARGV[5] int   patience      ms without a report after which a probe is lost
-- ARGV[6] text  limits        words "<name>=<number>": limit, per (ms) and burst of the rate; parallelism; consecutive, ratio, calls,
--                             window (ms), pause (ms), max_pause (ms) and probes of the breaker; paused (epoch ms, until when);
--                             ignore_retry_after (1)
-- ARGV[7] int   revision      of the limits: the greatest revision that any node knows applies
-- ARGV[8] int   slots         calls in flight plus kept tokens
-- ARGV[9] int   want          tokens, 0 for none
-- ARGV[10] int  oldest        score of the attempt that has waited longest at the node; '' for none
-- ARGV[11] int  unused        tokens given back
-- ARGV[12] int  granted       epoch ms of the oldest unused token
-- ARGV[13] text outcomes      "<generation> <succeeded> <failed> <failed since the last success> <probes in flight>
--                             <probes not begun after all>"; '' for none
-- ARGV[14] int  retry_at      epoch ms before which the destination asks not to be called; '' if it does not
-- ARGV[15] int  handed_on     calls that began in the place of an ended one, without a token from Redis
-- ARGV[16] int  judges        1 if Redis has answered the node for a whole lease, so that it may judge others silent; otherwise their reports apply
-- ARGV[17] text destination   "@<authority>" of the calls; '' for destinations that share a state. The node counts once for each
-- returns {tokens, at, again, share, generation, breaker, reason}
--         at          instant of the grant, epoch ms, by the clock of the flow, which does not go back
--         again       when a request for more is useful, epoch ms
--         share       calls that the node may have in flight; 0 while the flow is stopped: no call begins in the place of an ended one
--         generation  number of changes of the breaker
--         breaker     closed, open or halfOpen
--         reason      why this call has changed it: failures, probeFailed, probesSucceeded, pauseOver, probeLost or noBreaker; left out if it has not
-- cost    O(nodes and destinations with calls in flight or waiting, and destinations with state)
-- include: checked_call
local key, node, call, now = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
local lease, patience, limits, revision = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])
local slots, want, oldest = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10]) or math.huge
local unused, granted, outcomes, retry_at = tonumber(ARGV[11]) or 0, tonumber(ARGV[12]) or 0, ARGV[13], tonumber(ARGV[14])
local handed_on, judges = tonumber(ARGV[15]) or 0, ARGV[16] == '1'
local SLICE, POLL = 50, 100 -- ms: slices in which tokens of a rate are granted; interval of requests of a node that waits for others

local destination = ARGV[17]
local MAX_DESTINATIONS, FORGOTTEN = 128, 3600000 -- maximum with state; ms after which unused state is removed
local OWN = {breaker = 1, generation = 1, ['until'] = 1, opens = 1, retry_at = 1, window = 1, calls = 1, failures = 1, row = 1, probing = 1,
  probe_until = 1, recovered = 1, seen = 1}
node = node .. destination

-- Fields of this destination are read without its name. Fields of others keep their names.
local at, changed = {}, {}
local stored = checked_call('HGETALL', key)
for i = 1, #stored, 2 do
  local field, of = string.match(stored[i], '^([%a_]+)(@.+)$')
  if field and of == destination then at[field] = stored[i + 1]
  elseif field or destination == '' or not OWN[stored[i]] then at[stored[i]] = stored[i + 1] end
end
local function number(field) return tonumber(at[field]) or 0 end
local function set(field, value)
  if type(value) == 'number' then value = string.format('%.17g', value) end
  if at[field] ~= value then at[field], changed[field] = value, true end
end
-- Visits a field of each other destination.
local function each_other(field, visit)
  local found = {}
  for name in pairs(at) do found[#found + 1] = string.match(name, '^' .. field .. '(@.+)$') end
  for _, of in ipairs(found) do visit(of, tonumber(at[field .. of]) or 0) end
end
-- Visits the slots ("slots:<node>") or the wanted tokens ("want:<node>") of each node, and the instant until which they count.
local function each(kind, visit)
  local names = {}
  for field in pairs(at) do names[#names + 1] = string.match(field, '^' .. kind .. ':(.*)') end
  for _, name in ipairs(names) do visit(name, string.match(at[kind .. ':' .. name], '^(%S+) (%S+) (%S+) ?(.*)')) end
end

local process, count = string.match(call, '^(%S+) (%d+)$')
local last_process, last_count = string.match(at['slots:' .. node] or '', '^%S+ %S+ %S+ (%S+) (%d+)')
if last_process == process and tonumber(count) <= tonumber(last_count) then
  now = math.max(now, number('as_of'))
  return {0, now, now + POLL, slots, number('generation'), at.breaker or 'closed'}
end

-- The clocks of nodes differ by a few ms, so the clock of the flow stands still instead of going back. A clock that was set back moves all instants.
local back = number('as_of') - now
if back > 1000 then
  for _, field in ipairs({'as_of', 'full', 'until', 'retry_at', 'probe_until', 'window', 'minute', 'begun_since'}) do
    if at[field] then set(field, number(field) - (field == 'minute' and math.floor(back / 60000) or back)) end
  end
  for _, field in ipairs({'until', 'retry_at', 'probe_until', 'window', 'seen'}) do
    each_other(field, function(of, instant) set(field .. of, instant - back) end)
  end
  for _, kind in ipairs({'slots', 'want'}) do
    each(kind, function(name, first, second, ends, rest) set(kind .. ':' .. name, first .. ' ' .. second .. ' ' .. (ends - back) .. ' ' .. rest) end)
  end
end
now = math.max(now, number('as_of'))

local function read(text)
  local words = {}
  for name, value in string.gmatch(text, '(%S+)=(%S+)') do words[name] = tonumber(value) end
  return words
end
local function open_for(by, opens) return by.pause and math.min(by.pause * 2 ^ math.min(opens, 30), by.max_pause) or 0 end
local limit = read(limits)
if revision < number('revision') then
  limit = read(at.limits)
elseif limits ~= at.limits then
  -- An open breaker stays open for as long as the current limits say.
  local before = read(at.limits or '')
  local function stretch(of)
    local opens = number('opens' .. of) - 1
    if at['breaker' .. of] == 'open' then set('until' .. of, number('until' .. of) - open_for(before, opens) + open_for(limit, opens)) end
  end
  stretch('')
  each_other('until', stretch)
  set('limits', limits)
end
set('revision', math.max(revision, number('revision')))

-- Few destinations have state. The state of unused destinations is removed, and beyond the maximum also that of the destination
-- called least recently.
if destination ~= '' then
  if not at.seen or now - number('seen') > 60000 then
    local count, oldest_seen, oldest_of = 1, math.huge, nil
    local function forget(of) for field in pairs(OWN) do set(field .. of, nil) end end
    each_other('seen', function(of, seen)
      local rests = math.max(tonumber(at['until' .. of]) or 0, tonumber(at['retry_at' .. of]) or 0)
      if seen + FORGOTTEN < now and rests < now then forget(of)
      else
        count = count + 1
        if seen < oldest_seen then oldest_seen, oldest_of = seen, of end
      end
    end)
    if count > MAX_DESTINATIONS then forget(oldest_of) end
    set('seen', now)
  end
end

-- Slots and wanted tokens of other nodes, as far as they still count.
local others, others_slots = {}, 0
local function of(name)
  others[name] = others[name] or {slots = 0, want = 0, oldest = math.huge}
  return others[name]
end
each('slots', function(name, taken, _, ends)
  if judges and tonumber(ends) <= now then set('slots:' .. name, nil)
  elseif name ~= node and tonumber(taken) > 0 then
    of(name).slots = tonumber(taken)
    others_slots = others_slots + taken
  end
end)
each('want', function(name, wanted, since, ends)
  if tonumber(ends) <= now then set('want:' .. name, nil)
  elseif name ~= node then
    of(name).want, of(name).oldest = tonumber(wanted), tonumber(since)
  end
end)

-- The breaker. Only outcomes of calls that began in this generation count.
local breaker = at.breaker or 'closed'
local reason
local function change_to(state, because)
  breaker, reason = state, because
  set('breaker', state ~= 'closed' and state or nil)
  set('generation', number('generation') + 1)
  for _, field in ipairs({'window', 'calls', 'failures', 'row', 'probing', 'probe_until', 'recovered'}) do set(field, nil) end
end
local function open(because)
  set('until', now + open_for(limit, number('opens')))
  set('opens', number('opens') + 1)
  change_to('open', because)
end
local function close(because)
  set('until', nil)
  set('opens', nil)
  change_to('closed', because)
end
local generation, succeeded, failed, failed_last, probes, not_begun = string.match(outcomes, '^(%d+) (%d+) (%d+) (%d+) ?(%d*) ?(%d*)$')
if not limit.probes then
  if breaker ~= 'closed' then close('noBreaker') end
elseif generation and tonumber(generation) == number('generation') then
  if breaker == 'halfOpen' then
    set('recovered', number('recovered') + succeeded)
    set('probing', math.max(0, number('probing') - (tonumber(not_begun) or 0)))
    if tonumber(failed) > 0 then open('probeFailed')
    elseif number('recovered') >= limit.probes then close('probesSucceeded')
    -- A call may take longer than the patience. It is not lost as long as its node reports it.
    elseif (tonumber(probes) or 0) > 0 then set('probe_until', now + patience) end
  elseif breaker == 'closed' then
    if now >= number('window') + limit.window then
      set('window', now)
      set('calls', 0)
      set('failures', 0)
    end
    set('calls', number('calls') + succeeded + failed)
    set('failures', number('failures') + failed)
    set('row', tonumber(succeeded) > 0 and tonumber(failed_last) or number('row') + failed)
    local too_many = limit.ratio and number('calls') >= limit.calls and number('failures') >= limit.ratio * number('calls')
    if too_many or (limit.consecutive and number('row') >= limit.consecutive) then open('failures') end
  end
end
if breaker == 'open' and now >= number('until') then change_to('halfOpen', 'pauseOver') end
if breaker == 'halfOpen' then
  -- Probes that nobody reports are lost with their node, and others replace them. A successful probe waits for the next one without limit.
  if judges and number('probing') > number('recovered') and now >= number('probe_until') then change_to('halfOpen', 'probeLost') end
end

if limit.ignore_retry_after then set('retry_at', nil)
elseif retry_at then set('retry_at', math.max(number('retry_at'), retry_at)) end

-- The bucket. Returned tokens count only if the bucket would not have overflowed in the meantime.
local rate, tokens = limit.limit and limit.limit / limit.per, nil
if rate then
  tokens = at.tokens and math.min(limit.burst, number('tokens') + (now - number('as_of')) * rate) or limit.burst
  if tokens >= limit.burst then set('full', now) end
  if granted >= number('full') then tokens = math.min(limit.burst, tokens + unused) end
end
set('as_of', now)

-- Calls that the destination accepts now. Other calls take no part of the common limits.
local rests = math.max(number('retry_at'), breaker == 'open' and number('until') or 0)
local ready = want
if rests > now then ready = 0
elseif breaker == 'halfOpen' then ready = math.max(0, math.min(want, limit.probes - number('probing'))) end

-- Divides a limit among the waiting nodes by their demand. The remainder goes to the node that has waited longest.
local function part(whole, demand)
  local all, parts, longest, is_longest = demand(slots, ready), 0, oldest, true
  for name, other in pairs(others) do
    all = all + demand(other.slots, other.want)
    is_longest = is_longest and not (other.oldest < oldest or (other.oldest == oldest and name < node))
  end
  if all <= whole then return demand(slots, ready) end
  for _, other in pairs(others) do parts = parts + math.floor(whole * demand(other.slots, other.want) / all) end
  return is_longest and whole - parts or math.floor(whole * demand(slots, ready) / all)
end

local grant, share, again = ready, slots + want, now
local blocked = math.max(limit.paused or 0, rests)
if blocked > now then
  grant, share, again = 0, 0, blocked
else
  if limit.parallelism then
    share = part(limit.parallelism, function(used, wanted) return used + wanted end)
    grant = math.min(grant, limit.parallelism - slots - others_slots, share - slots)
    -- After the parallelism was lowered, no place is handed on while more calls are in flight.
    if slots + others_slots > limit.parallelism then share = math.min(share, limit.parallelism - others_slots) end
  end
  if grant < want then again = now + POLL end
  local of_rate = rate and part(math.floor(tokens + 1e-9), function(_, wanted) return wanted end) or grant
  -- If the rate is the tightest limit, it alone determines when there is more.
  if of_rate < grant then
    grant = of_rate
    -- A full bucket has no more. A rounding error must not cost another ms.
    local enough = math.max(1, math.floor(math.min(ready - grant, rate * SLICE, limit.burst)))
    local at_least = math.min(SLICE / 5, math.ceil(limit.burst / rate))
    again = now + math.max(at_least, math.ceil((enough - tokens + grant) / rate - 1e-6))
  end
  grant = math.max(0, grant)
end

if rate then set('tokens', math.max(0, tokens - grant)) end
if grant > 0 and breaker == 'halfOpen' then
  set('probing', number('probing') + grant)
  set('probe_until', now + patience)
end
local minute = math.floor(now / 60000)
if number('minute') ~= minute then
  local goes_on = at.minute and number('minute') == minute - 1
  set('begun_before', goes_on and at.begun or nil)
  if not goes_on then set('begun_since', now) end
  set('begun', 0)
  set('minute', minute)
end
set('begun', math.max(0, number('begun') + grant + handed_on - unused))
-- Without this entry a repeat would not be recognized, and its report would count again.
local stays = slots + grant + unused + handed_on > 0 or outcomes ~= ''
set('slots:' .. node, stays and table.concat({slots + grant, 'until', now + lease, process, count}, ' ') or nil)
local wait_until = math.min(again, now + lease) + 5 * POLL
set('want:' .. node, ready > grant and table.concat({ready - grant, oldest, wait_until}, ' ') or nil)

local written, gone = {}, {}
for field in pairs(changed) do
  local name = OWN[field] and field .. destination or field
  if at[field] then
    written[#written + 1] = name
    written[#written + 1] = at[field]
  else
    gone[#gone + 1] = name
  end
end
if #gone > 0 then redis.call('HDEL', key, unpack(gone)) end
if #written > 0 then redis.call('HSET', key, unpack(written)) end
-- The state expires an hour after its last effect has passed.
local passes = math.max(lease, blocked - now, rate and limit.burst / rate or 0)
for _, field in ipairs({'until', 'retry_at'}) do each_other(field, function(_, instant) passes = math.max(passes, instant - now) end) end
redis.call('PEXPIRE', key, math.ceil(math.min(passes, 2 ^ 40)) + 3600000)
return {grant, now, again, math.max(share, 0), number('generation'), breaker, reason}
