-- Reads or changes what is known of mail to one address: `b<time>` bars it, `c<time>` says that it was cleared, where the
-- time is that of the mail it was learned from. The value ends with the bar.
local word, time, seconds = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local known = redis.call('GET', KEYS[1])
local isBarred = known and string.sub(known, 1, 1) == 'b'
local knownTime = known and tonumber(string.sub(known, 2))

if word == 'read' then return isBarred and 'barred' or 'free' end

if word == 'delivered' or word == 'clear' then
  if not isBarred or word == 'delivered' and time <= knownTime then return 'unchanged' end
  redis.call('SET', KEYS[1], 'c' .. string.format('%d', math.max(time, knownTime)), 'KEEPTTL')
  return 'cleared'
end

-- A bounce that comes again after it was cleared is of the same mail, or of an earlier one.
if knownTime and (time < knownTime or not isBarred and time == knownTime) then return 'unchanged' end
if isBarred then seconds = math.max(seconds, redis.call('TTL', KEYS[1])) end
redis.call('SET', KEYS[1], 'b' .. ARGV[2], 'EX', string.format('%d', seconds))
return 'barred'
