-- Counts an export of a user's data, or returns how long to wait.
-- KEYS: the user. ARGV: now, exports within the window, its seconds, '1' while Redis has room for another counter, the tag of the
-- call.
-- The value is a MessagePack array of the exports within the window, oldest first: { { tag of the call, its time }, ... }.
-- Returns {'admitted'}, {'repeated'} for a call that is counted already, {'limited', seconds} or {'full'}.

local now, max, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local kept = redis.call('GET', KEYS[1])
local recent = {}
for _, call in ipairs(kept and cmsgpack.unpack(kept) or {}) do
  -- A clock that was set back must not prolong the wait.
  local at = math.min(call[2], now)
  if at + window > now then
    if call[1] == ARGV[5] then return { 'repeated' } end
    recent[#recent + 1] = { call[1], at }
  end
end
if #recent >= max then return { 'limited', recent[1][2] + window - now } end
if not kept and ARGV[4] ~= '1' then return { 'full' } end
recent[#recent + 1] = { ARGV[5], now }
redis.call('SET', KEYS[1], cmsgpack.pack(recent), 'EX', window)
return { 'admitted' }
