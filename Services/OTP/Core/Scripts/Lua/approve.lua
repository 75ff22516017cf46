-- The outcome of a guess that is compared here or by the provider.

local function refuse(state, word, result)
  countRefusal(state, 'verify ' .. word)
  return { result = result or word }
end

local function approvalEnd(state, challenge)
  local ends, review = challenge.approved + state.rules.approved, state.number.review
  return review and math.min(ends, review.ends) or ends
end

local function approval(state, challenge)
  local review = state.number.review
  return {
    result = 'approved', created = challenge.created, seed = challenge.seed, ends = approvalEnd(state, challenge),
    reviewEnds = review and review.ends or 0,
  }
end

-- Returns the same success again, if it is one.
local function approvalAgain(state, challenge, proof)
  local isApproved = challenge and challenge.approved and approvalEnd(state, challenge) > state.now
  return isApproved and challenge.proof == proof and approval(state, challenge) or nil
end

local function approve(state, call, challenge)
  local review = state.number.review
  challenge.approved = math.max(state.now, challenge.created)
  -- A reviewer's network is not the owner's.
  if not review then recognise(state, call.block) end
  state.isChanged = true
  audit(state, review and audited.reviewUsed or audited.approved, call.subject, scopeName(state))
  if state.spend and not review then countOfRow(state, '+') end
  return approval(state, challenge)
end
