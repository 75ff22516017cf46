-- Keeps how long the last messages of a closed app took, and the answer to the last one.
-- KEYS: the value. ARGV: milliseconds, how many are kept, life in seconds, answer (JSON). Returns 1.

local times = {}
local value = redis.call('GET', KEYS[1])
if value then times = cmsgpack.unpack(value) end
times[#times + 1] = tonumber(ARGV[1])
while #times > tonumber(ARGV[2]) do table.remove(times, 1) end
redis.call('SET', KEYS[1], cmsgpack.pack(times, ARGV[4]), 'EX', tonumber(ARGV[3]))
return 1
