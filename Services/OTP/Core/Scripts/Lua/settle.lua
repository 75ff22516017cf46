-- Records the provider's result of a guess; until then the guess counts as wrong (verify.lua).
-- The call has the proof of the guess, the encrypted identity as in verify.lua, created and seed of the challenge that it is about, and the provider's word. r: right; w: wrong;
-- u: used up, as the provider compares no more guesses with its code; g: gone, as it no longer has a code of the number.
-- Answers: the same as verify.lua; expired if another challenge has replaced this one, unsettled if the guess is not known.

-- The guess was right, or not compared at all, so a lockout that only it caused is lifted.
local function forgive(state)
  local locked = state.number.locked
  if locked[state.lane] then locked[state.lane] = math.min(locked[state.lane], latestLockEnd(state)) end
end

function change.settle(state, call)
  local guess = earlierCall(state, call, UNDECIDED, UNDECIDED)
  if not guess then return { result = 'unsettled' } end
  -- Meanwhile the number may have become recognised at the network of the guess.
  state.lane, state.isChanged = guess.scope, true
  if state.number.locked[state.lane] then state.scope = state.lane end
  if call.word == 'w' then
    guess.kind = WRONG
    -- The lockout's first record was written before the guess was known to be wrong. Another guess that is undecided may be right, so that
    -- forgive lifts the lockout: the last one that is known to be wrong writes the record.
    local isSure = latestLockEnd(state, WRONG) - guess.time >= audited.reviewedSeconds
    local identity, wait = isSure and reviewed(state, call, guess.time), lockedUntil(state) - state.now
    if identity then audit(state, audited.locked, call.subject, laneName(state) .. ' ' .. wait, identity) end
    return { result = 'wrong_code' }
  end
  guess.kind = RIGHT
  forgive(state)

  local challenge = openChallenge(state, call.place)
  if not challenge or challenge.created ~= tonumber(call.created) or challenge.seed ~= call.seed then
    return refuse(state, 'expired')
  end
  -- Another guess was faster, and the provider has closed its verification.
  if challenge.approved then return approvalAgain(state, challenge, call.proof) or refuse(state, 'used') end

  if call.word == 'r' then
    challenge.proof = call.proof
    return approve(state, call, challenge)
  end
  -- Unrecognised clients may have used all the guesses that the provider accepts, so the next request begins again.
  challenge.tries = { state.rules.tries, state.rules.tries }
  -- A repeat of this call does not repeat a success.
  guess.call = nil
  if call.word == 'g' then return refuse(state, 'expired') end
  return limited(state, 'verify', 'challenge', math.max(1, sendWait(state)))
end
