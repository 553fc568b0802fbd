-- batch (a fragment, appended to a script that is wrapped in perform(KEYS, ARGV)): perform several calls of the script, each as if it had come alone.
-- KEYS[1..]     the keys of the first call, then those of the second, and so on; all in one slot of a Cluster
-- ARGV[1..]     for each call: its number of keys, its number of arguments, and the arguments
-- returns the reply of each call, in order; '' for none; an error for a failed call, without effect on the others
-- cost    the sum of the calls
local keys, arguments = KEYS, ARGV
local replies, key, at = {}, 1, 1
while at <= #arguments do
  local last_key, last = key + arguments[at] - 1, at + 1 + arguments[at + 1]
  local performed, reply = pcall(perform, {unpack(keys, key, last_key)}, {unpack(arguments, at + 2, last)})
  if not performed and type(reply) ~= 'table' then reply = redis.error_reply(tostring(reply)) end
  -- The server is no longer a master. Nothing of the batch was performed, and the sender must find the new master.
  if type(reply) == 'table' and string.sub(reply.err or '', 1, 8) == 'READONLY' then return reply end
  replies[#replies + 1] = reply or ''
  key, at = last_key + 1, last + 1
end
return replies
