-- Keeps how long the last messages of a closed app took, and the answer to the last one.
-- KEYS: the value. The call: milliseconds, how many are kept, life in seconds, last (JSON).

local call, times = readCall(ARGV), {}
local value = redis.call('GET', KEYS[1])
if value then times = cmsgpack.unpack(value) end
times[#times + 1] = tonumber(call.milliseconds)
while #times > tonumber(call.kept) do table.remove(times, 1) end
redis.call('SET', KEYS[1], cmsgpack.pack(times, call.last), 'EX', tonumber(call.life))
return answer({ result = 'kept' })
