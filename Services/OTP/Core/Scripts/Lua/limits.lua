-- The scope of the client, the lane of its guesses, the earlier events of the number, and the time that the call has to wait.
--
-- A guess counts in a lane. The lanes of sign-ins are the scopes of clients. A code that goes to an account's own number, which no
-- sign-in accepts, has another lane: the number of its place. Wrong guesses there lock only this lane.

local function scopeName(state) return state.scope == KNOWN and 'known' or 'stranger' end
local function laneName(state) return state.lane == state.scope and scopeName(state) or 'own' end

-- Recognised: the call has a token of the number's owner, or the number signed in recently from this address block.
local function scopeOf(number, call)
  if call.isVouchedFor then return KNOWN end
  for _, known in ipairs(number.known) do
    if known.block == call.block then return KNOWN end
  end
  return STRANGER
end

local function openChallenge(state, place)
  for index, challenge in ipairs(state.number.challenges) do
    if challenge.place == place then return challenge.run == state.run and challenge or nil, index end
  end
  return nil, #state.number.challenges + 1
end

-- Whether a provider has made the challenge's code and is asked whether a guess is right.
local function isManaged(challenge) return challenge.proof == '' end

-- Returns an earlier call with the same tag, so that its repeat is neither counted nor sent again.
local function earlierCall(state, call, first, last)
  for _, event in ipairs(state.number.events) do
    if event.call == call.tag and event.kind >= first and event.kind <= last then return event end
  end
end

-- `scope`: the scope of a send, or the lane of a guess.
local function addEvent(state, call, kind, scope)
  local event = { kind = kind, scope = scope, time = state.now, call = call.tag }
  state.number.events[#state.number.events + 1] = event
  return event
end

-- Returns the times of events of these kinds in a scope or a lane, oldest first.
local function times(state, scope, first, last)
  local list = {}
  for _, event in ipairs(state.number.events) do
    if event.scope == scope and event.kind >= first and event.kind <= last then list[#list + 1] = event.time end
  end
  return list
end

-- Sliding windows: returns the seconds until one more event fits under each limit, or 0 if it fits now. It fits when the max-th
-- newest event has left the window, so after that wait it really does.
local function slidingWait(state, list, limits)
  local longest = 0
  for _, limit in ipairs(limits) do
    local blocking = list[#list - limit[1] + 1]
    if blocking then longest = math.max(longest, blocking + limit[2] - state.now) end
  end
  return longest
end

local function sendWait(state)
  return slidingWait(state, times(state, state.scope, SENT, FAILED), state.rules.sends)
end

-- Returns the end of the lockout that the failure at a position causes, or 0 if it causes none. The failures are in order.
local function lockEnd(state, list, position)
  local longest = 0
  for _, lockout in ipairs(state.rules.lockouts) do
    local first = list[position - lockout[1] + 1]
    if first and list[position] - first < lockout[2] then longest = math.max(longest, list[position] + lockout[3]) end
  end
  return longest
end

-- Returns the latest end of the lockouts that the failures of the lane cause, or 0; without the undecided ones if `last` is WRONG.
local function latestLockEnd(state, last)
  local list, ends = times(state, state.lane, WRONG, last or UNDECIDED), 0
  for position = 1, #list do ends = math.max(ends, lockEnd(state, list, position)) end
  return ends
end

-- Returns the end of the lane's lockout, or 0. Only those of sign-ins are kept, as settle.lua and unlock.lua lift them.
local function lockedUntil(state) return state.number.locked[state.lane] or latestLockEnd(state) end

-- From now on the number is recognised at this address block.
local function recognise(state, block)
  local known = { { block = block, day = math.floor(state.now / 86400) } }
  for _, other in ipairs(state.number.known) do
    if other.block ~= block and #known < state.rules.knownMax then known[#known + 1] = other end
  end
  state.number.known = known
end

local function isFull(window) return window.count >= window.max end

-- The call is counted in these windows when the state is written.
local function countIn(windows)
  for _, window in ipairs(windows) do window.isCounted = true end
end

-- Returns the rule that makes the call wait longest, among these and the windows. After that wait no rule refuses it.
local function longestWait(state, waits)
  for _, window in ipairs(state.windows) do
    if isFull(window) then waits[#waits + 1] = { window.rule, window.ends - state.now } end
  end
  local longest = { nil, 0 }
  for _, wait in ipairs(waits) do
    if wait[2] > longest[2] then longest = wait end
  end
  return unpack(longest)
end

-- Returns the rule that refuses a guess, and its wait. Lockouts come before the comparison, so that they apply to the
-- right code too, whenever it was sent. Every attempt counts for the IP address, including those that another rule refuses.
local function countAttempt(state)
  if not longestWait(state, {}) then countIn(state.windows) end
  return longestWait(state, {
    { 'lockout', lockedUntil(state) - state.now },
    { 'phone', slidingWait(state, times(state, state.lane, RIGHT, UNDECIDED), state.rules.attempts) },
  })
end

-- Whether a provider may still have another code of the number than the challenge's, from the last ten minutes. A Redis that has
-- run for less time may have forgotten one.
-- `challenge`: the one that is kept; nil if a new one is about to be made.
local function followsAnother(state, challenge)
  -- A provider that makes the codes has this one's. If it might not, failed_send.lua has ended the challenge.
  if challenge and isManaged(challenge) then return false end
  local made = challenge and challenge.created or math.huge
  for _, other in ipairs(state.number.challenges) do
    if other ~= challenge and other.created + 600 > state.now then return true end
  end
  -- It is not recorded which sender accepted a message, so all of ten minutes count. To end a code and send the same again is
  -- harmless.
  for _, event in ipairs(state.number.events) do
    if event.kind <= FAILED and event.time < made and event.time + 600 > state.now then return true end
  end
  return state.runSeconds < 600
end

-- Fixed windows of the clock, with one counter each, for subjects that may have a million events: addresses, prefixes, countries.
-- At the boundary of two windows twice the limit can pass.
-- KEYS after the number's: one for each window.
local function readWindows(state, call, keys)
  for index, window in ipairs(call.windows) do
    state.isMail = state.isMail or window.window == 'mailbox'
    local max = tonumber(window[state.scope == KNOWN and 'knownMax' or 'strangersMax'])
    if max then
      local key = keys[4 + index]
      state.windows[#state.windows + 1] = {
        key = key, rule = window.window, field = window.field, max = max, ends = tonumber(window.ends),
        count = tonumber(redis.call('HGET', key, window.field)) or 0,
      }
    end
  end
end

local function writeWindows(state)
  for _, window in ipairs(state.windows) do
    if window.isCounted then
      redis.call('HINCRBY', window.key, window.field, 1)
      redis.call('EXPIRE', window.key, math.max(1, window.ends - state.now))
    end
  end
end
