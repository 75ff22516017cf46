-- Adds an event of a number or an address to its trace; the newest are kept.
-- KEYS: bucket of the day, of the day before. The call: field, time, life in seconds, how many are kept, and the words of the entry
-- (`TraceEvent`, JSON), the first its kind. Answers: written, 0 for a provider's report that is repeated or about an unknown message.
--
-- Events that cost the client nothing and can be repeated at will are one entry with a count, so that a flood hides no other event.

local call = readCall(ARGV)
local words = cjson.decode(call.words)
local kind = words[1]

local function read(key)
  local value = redis.call('HGET', key, call.field)
  return value and cmsgpack.unpack(value) or {}
end

local key = KEYS[1]
local entries = read(key)

-- Returns whether these entries contain the message, and whether they contain this report about it.
local function fate()
  local isTried, isTold = false, false
  for _, entry in ipairs(entries) do
    local known = entry[3]
    if known[1] == 'tried' and known[5] == words[3] then isTried = true end
    if known[1] == 'callback' and known[3] == words[3] and known[4] == words[4] then isTold = true end
  end
  return isTried, isTold
end

if kind == 'callback' then
  local isTried, isTold = fate()
  if not isTried then
    key = KEYS[2]
    entries = read(key)
    isTried, isTold = fate()
  end
  if not isTried or isTold then return answer({ written = 0 }) end
end

local function isSame(known)
  if known[1] ~= kind then return false end
  if kind == 'refused' then return known[3] == words[3] end
  if kind == 'tried' then return words[4] == 'nobody' and known[3] == words[3] and known[6] == words[6] end
  return kind == 'guessed' and words[3] ~= 'approved' and words[3] ~= 'wrong_code' and known[3] == words[3]
end

local same
for index = #entries, math.max(1, #entries - 3), -1 do
  if not same and isSame(entries[index][3]) then same = entries[index] end
end
if same then
  same[2], same[3] = same[2] + 1, words
else
  entries[#entries + 1] = { call.time, 1, words }
end
while #entries > tonumber(call.kept) do table.remove(entries, 1) end
if redis.call('HSET', key, call.field, cmsgpack.pack(entries)) == 1 then redis.call('EXPIRE', key, tonumber(call.life)) end
return answer({ written = 1 })
