-- batch (a fragment, put behind a script that stands in perform(KEYS, ARGV)): perform several calls of it, each as if it had come alone.
-- KEYS[1..]     the keys of the first call, then those of the second, and so on; all of one slot in a Cluster
-- ARGV[1..]     for each call: how many keys it has, how many arguments, and these
-- returns the reply of each call, in their order; '' for none; an error where one failed, which the others do not mind
-- cost    the sum of the calls
local keys, arguments = KEYS, ARGV
local replies, key, at = {}, 1, 1
while at <= #arguments do
  local last_key, last = key + arguments[at] - 1, at + 1 + arguments[at + 1]
  local performed, reply = pcall(perform, {unpack(keys, key, last_key)}, {unpack(arguments, at + 2, last)})
  if not performed and type(reply) ~= 'table' then reply = redis.error_reply(tostring(reply)) end
  -- A server that is no master any more: nothing of the batch was performed, and the sender is to find the new one.
  if type(reply) == 'table' and string.sub(reply.err or '', 1, 8) == 'READONLY' then return reply end
  replies[#replies + 1] = reply or ''
  key, at = last_key + 1, last + 1
end
return replies
