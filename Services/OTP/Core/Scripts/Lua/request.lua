-- Counts a send and opens the number's challenge, or refuses; atomically.
-- The call has the seed (2 bytes) and the proof (5 bytes) of the challenge if a new one is made: a proof of zeros states that a
-- provider makes the code. `reviewSalt` is the salt of the review access to which the code belongs. `channels` has a byte for each
-- possible channel of the message; the first one is tried first, and paid with the send.
-- Answers: send with the challenge's created and seed, bad and late channels, follows ('1' if a provider may have another code that
-- was sent to the number) and news of spending. Or repeated, with `failed` if no provider accepted it; limited with rule, seconds and
-- news; bad_number if all those channels are bad and the app is not closed. Or, if the call was made for another state of the review
-- access, review with ends and salt: 0 and '' if none is open.

-- Returns the channels that a provider reports as bad, and those on which a message did not arrive recently, a byte for each.
local function badChannels(state)
  local bad, late = '', ''
  for _, item in ipairs(state.number.bad) do
    if item.channel >= LATE then
      late = late .. string.char(item.channel - LATE)
    else
      bad = bad .. string.char(item.channel)
    end
  end
  return bad, late
end

-- Returns whether any channel is left, and whether the first one is tried first. A mail has no channel.
local function chances(channels, bad, late)
  local function isIn(list, index) return string.find(list, string.sub(channels, index, index), 1, true) end
  if channels == '' then return true, false end
  local isReachable, isFirst = false, not isIn(bad, 1)
  for index = 1, #channels do
    isReachable = isReachable or not isIn(bad, index)
    if isIn(late, 1) and not isIn(bad, index) and not isIn(late, index) then isFirst = false end
  end
  return isReachable, isFirst
end

-- Returns the seconds for which unrecognised clients cannot replace a code that the owner requested and can still use.
local function ownersWaitFor(state, challenge)
  if not challenge.wanted or challenge.run ~= state.run then return 0 end
  if challenge.approved then return challenge.approved + state.rules.approved - state.now end
  return challenge.tries[KNOWN] < state.rules.tries and challenge.created + state.rules.lifetime - state.now or 0
end

-- Returns the longest such wait. A provider has one code for a number, whatever its purpose, so a new challenge replaces those of
-- all places.
local function ownersWait(state, challenge, isOfProvider)
  local wait = 0
  for _, other in ipairs(state.scope == STRANGER and state.number.challenges or {}) do
    if isOfProvider or other == challenge then wait = math.max(wait, ownersWaitFor(state, other)) end
  end
  return wait
end

-- A request for a mail is only told about the limit of the client's own IP address (`SendCode`). If it is reached, it is the rule,
-- and every request is counted for it.
local function mailRule(state, rule, wait)
  for _, window in ipairs(state.windows) do
    window.isCounted = window.rule == 'ip'
    if window.isCounted and isFull(window) then rule, wait = 'ip', window.ends - state.now end
  end
  if rule == 'ip' then state.windows = {} end
  return rule, wait
end

-- Returns the rule that refuses the send, and its wait. Nothing is counted before, because a refused request must not prolong its
-- own refusal.
local function refusal(state, wait)
  local rule, seconds = longestWait(state, {
    { 'lockout', lockedUntil(state) - state.now }, { 'phone', sendWait(state) }, { 'challenge', wait },
    { 'budget', state.spend and state.rules.spend.enforces and spendWait(state) or 0 },
  })
  if rule and state.isMail then return mailRule(state, rule, seconds) end
  return rule, seconds
end

function change.request(state, call)
  local proof, number = call.proof ~= '\0\0\0\0\0' and call.proof or '', state.number
  local isOfProvider, reviewSalt = proof == '', call.reviewSalt or ''
  local earlier = earlierCall(state, call, SENT, FAILED)
  if earlier and earlier.kind == SENT then return { result = 'repeated' } end

  local bad, late = badChannels(state)
  local isReachable, isFirst = chances(call.channels, bad, late)
  -- In a closed app only invited numbers have been tried. So a bad number is counted and gets the same response as all others.
  if not isReachable and not state.rules.closed then return { result = 'bad_number' } end
  if earlier then return { result = 'repeated', failed = 1 } end

  local review = number.review
  if reviewSalt ~= (review and review.salt or '') then
    return { result = 'review', ends = review and review.ends or 0, salt = review and review.salt or '' }
  end
  -- Reviewers are sent nothing, which costs nothing.
  if review then state.spend = nil end
  if review or not isReachable then state.label = nil end
  if state.spend and not isReachable then state.spend.isSilent = true end

  -- A code that can still be used is sent again. One that is expired, used or guessed too often never is.
  local challenge, index = openChallenge(state, call.place)
  local isOpen = challenge and not challenge.approved and challenge.created + state.rules.lifetime > state.now
  local isKept = isOpen and challenge.tries[state.scope] < state.rules.tries and isManaged(challenge) == isOfProvider

  local rule, wait = refusal(state, isKept and 0 or ownersWait(state, challenge, isOfProvider))
  if rule == 'budget' then return overBudget(state, 'request', wait) end
  if rule then return limited(state, 'request', rule, wait) end

  local follows = call.channels ~= '' and followsAnother(state, isKept and challenge or nil)
  addEvent(state, call, SENT, state.scope)
  countIn(state.windows)
  if not isKept then
    challenge = {
      place = call.place, created = state.now, seed = call.seed, proof = proof, run = state.run, tries = { 0, 0 },
      channel = isOfProvider and string.byte(call.channels) or nil,
    }
    if isOfProvider then number.challenges, index = {}, 1 end
    number.challenges[index] = challenge
  end
  challenge.wanted = challenge.wanted or state.scope == KNOWN
  state.isChanged = true
  audit(state, audited.sent, call.subject, scopeName(state))
  -- A channel that is left out, or not the first to be tried, costs nothing here, because each one is paid when it is tried.
  local isPaid = state.spend and (state.spend.isSilent or isFirst)
  return {
    result = 'send', created = challenge.created, seed = challenge.seed, bad = bad, late = late,
    follows = follows and 1 or 0, news = isPaid and spend(state) or {},
  }
end
