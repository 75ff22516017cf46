-- Counts a guess, then compares it; atomically.
-- The guess and the challenge's code are compared as HMACs under a key that Redis does not have.
-- The call has the proof of the guess, the encrypted `identity` if long lockouts are reviewed, and its origin: `link`, which cannot be guessed; `away` if the provider that makes codes cannot
-- be asked now, so that a guess at one of its codes is away and not counted; `malformed` for a text that cannot be a code, which
-- counts only for the client's IP address.
-- Answers: approved with the challenge's created and seed, ends, and the review access' reviewEnds or 0; limited with rule and
-- seconds; ask with created, seed and channel if the provider knows whether it is right; undecided while it has not replied; or a
-- result alone.

-- Returns the answer to a guess at a challenge that takes no more of them in this scope.
local function usedUp(state, challenge)
  -- Waiting helps as soon as another code can be requested.
  local wait = math.max(1, sendWait(state))
  if state.scope == STRANGER and challenge.wanted and challenge.tries[KNOWN] < state.rules.tries then
    local ends = challenge.approved and approvalEnd(state, challenge) or challenge.created + state.rules.lifetime
    wait = math.max(wait, ends - state.now)
  end
  return limited(state, 'verify', 'challenge', wait)
end

-- Returns why a guess that no limit refuses is not compared with the challenge.
local function mismatch(state, call, challenge)
  -- The link of another challenge reveals nothing about this one, whose guesses stay as they are.
  if call.origin == 'link' and not (challenge and challenge.proof == call.proof) then
    return refuse(state, 'link', 'wrong_code')
  end
  if not challenge then return refuse(state, 'unknown') end
  if not challenge.approved and challenge.created + state.rules.lifetime <= state.now then
    return refuse(state, 'expired')
  end
  if challenge.tries[state.scope] >= state.rules.tries then return usedUp(state, challenge) end
  -- The same success again reduces the remaining guesses by none.
  return approvalAgain(state, challenge, call.proof)
end

-- Returns the call's encrypted identity if the lane is locked, from the time of a guess on, for so long that the account is reviewed.
local function reviewed(state, call, from)
  return lockedUntil(state) - from >= audited.reviewedSeconds and call.identity or nil
end

-- Counts a guess that is wrong, or counts as wrong until the provider is asked.
local function countWrong(state, call, challenge, isAsked)
  local list, locked, name = times(state, state.lane, WRONG, UNDECIDED), state.number.locked, laneName(state)
  if locked[state.lane] then locked[state.lane] = math.max(locked[state.lane], lockEnd(state, list, #list)) end
  audit(state, audited.wrongCode, call.subject, isAsked and name .. ' undecided' or name)
  local wait = lockedUntil(state) - state.now
  if wait > 0 then
    local identity = not isAsked and reviewed(state, call, state.now) or nil
    audit(state, audited.locked, call.subject, name .. ' ' .. wait, identity)
  end
  if not isAsked then return { result = 'wrong_code' } end
  return { result = 'ask', created = challenge.created, seed = challenge.seed, channel = challenge.channel or 0 }
end

function change.verify(state, call)
  if call.origin == 'malformed' then
    local rule, wait = longestWait(state, {})
    if rule then return limited(state, 'verify', rule, wait) end
    countIn(state.windows)
    return refuse(state, 'malformed')
  end

  local challenge = openChallenge(state, call.place)
  local isCompared = challenge and not challenge.approved
  local isAsked = isCompared and isManaged(challenge)

  local earlier = earlierCall(state, call, RIGHT, UNDECIDED)
  if earlier and earlier.kind == WRONG then return { result = 'wrong_code' } end
  if earlier and earlier.kind == UNDECIDED then return { result = 'undecided' } end
  -- A fixed code is right for the next challenge too, which the same request then approves.
  local isNext = isCompared and call.proof == challenge.proof
  if earlier and not isNext then return approvalAgain(state, challenge, call.proof) or { result = 'used' } end

  -- In a closed app a guess at a code that was not sent must not be recognisable by being checked while the provider is away.
  local isLikeAsked = isAsked or state.rules.closed and isCompared and not state.number.review
  if isLikeAsked and call.origin == 'away' then return { result = 'away' } end

  local rule, wait = countAttempt(state)
  if rule then return limited(state, 'verify', rule, wait) end

  local without = mismatch(state, call, challenge)
  if without then return without end

  -- It is counted first, as a wrong one, so that this guess is used whatever happens from here on.
  local guess = addEvent(state, call, isAsked and UNDECIDED or WRONG, state.lane)
  challenge.tries[state.scope] = challenge.tries[state.scope] + 1
  state.isChanged = true
  if isAsked or call.proof ~= challenge.proof then return countWrong(state, call, challenge, isAsked) end

  guess.kind = RIGHT
  if challenge.approved then return refuse(state, 'used') end
  return approve(state, call, challenge)
end
