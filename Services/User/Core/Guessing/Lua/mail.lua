-- Counts a request for a mail about an account before the mail is written, or refuses it; atomically.
-- KEYS: the account, the account with the network (both only read), then one for each window.
-- Its own ARGV, the last three: the call's tag, a letter for each window, '1' while Redis has room for another counter.
-- The letters:
--   n     the client's network
--   r, q  repeats of the request, by unrecognised and by recognised clients
--   s, k  the mailbox, for unrecognised and for recognised clients
--   h     the network's share of the mailbox
--   p, t  the deployment's part for unrecognised clients, and its whole (one counter)
-- Returns {'admitted', scope}, {'limited', seconds}, {'silent', letter} or {'full'}; the scope is `known` or `stranger`.

local call, letters, hasRoom = ARGV[#ARGV - 2], ARGV[#ARGV - 1], ARGV[#ARGV] == '1'
local function letterOf(index) return string.sub(letters, index, index) end
local function countOf(window) return tonumber(redis.call('GET', window.key)) end
local function isFull(window) return (countOf(window) or 0) >= window.max end

local function count(window)
  redis.call('INCR', window.key)
  redis.call('EXPIRE', window.key, math.max(1, window.ends - now))
end

-- Only the network decides on 429, so that this response reveals nothing about the email address. It counts all requests.
for index, window in ipairs(windows) do
  if letterOf(index) == 'n' then
    if isFull(window) then return { 'limited', window.ends - now } end
    if not hasRoom and not countOf(window) then return { 'full' } end
    count(window)
  end
end

local foreign = isKnown and { r = true, s = true, p = true } or { q = true, k = true }
local scope = isKnown and 'known' or 'stranger'
local request, counted = nil, {}
for index, window in ipairs(windows) do
  local letter = letterOf(index)
  if (letter == 'r' or letter == 'q') and not foreign[letter] then
    -- The value: the marker's end by the service's clock, and the call that set it. That call may be retried.
    request = window
    local ends, earlier = string.match(redis.call('GET', window.key) or '', '^(%d+) (.*)$')
    if ends and tonumber(ends) > now then
      return earlier == call and { 'admitted', scope } or { 'silent', letter }
    end
  elseif letter ~= 'n' and not foreign[letter] then
    if isFull(window) then return { 'silent', letter } end
    -- The letters p and t share one counter, which is counted once.
    if letter ~= 'p' then counted[#counted + 1] = window end
  end
end
for _, window in ipairs(counted) do
  if not hasRoom and not countOf(window) then return { 'full' } end
end
for _, window in ipairs(counted) do count(window) end
-- Without room for the marker, a repeat counts as a new request.
if hasRoom then redis.call('SET', request.key, request.ends .. ' ' .. call, 'EX', math.max(1, request.ends - now)) end
return { 'admitted', scope }
