-- The outcome of a guess that is compared here or by the provider.
-- Uses: limits.lua, spend.lua. Gives: challenge, approvedUntil, refuse, approval, approve, failures, lock.

local challenge = openChallenge()

local function approvalEnd()
  local ends = challenge.approved + rules.approved
  return review and math.min(ends, review.ends) or ends
end

local approvedUntil = challenge and challenge.approved and approvalEnd()

local function refuse(result, ...)
  countRefusal('verify ' .. result .. ' ' .. scopeName)
  return { ... }
end

local function approval()
  return { 'approved', challenge.created, challenge.seed, approvedUntil, review and review.ends or 0 }
end

-- Approves the challenge.
local function approve()
  challenge.approved = math.max(now, challenge.created)
  approvedUntil = approvalEnd()
  -- A reviewer's network is not the owner's.
  if not review then recognise() end
  save()
  audit(now, review and audited.reviewUsed or audited.approved, subject, scopeName)
  if not review then countApproval() end
  return approval()
end

-- Returns the times of wrong guesses in the call's scope, oldest first.
local function failures()
  local list = times(WRONG, UNDECIDED)
  table.sort(list)
  return list
end

-- Returns the end of the lockout that the failure at a position causes, or 0 if it causes none.
local function lockEnd(list, position)
  local longest = 0
  for _, lockout in ipairs(rules.lockouts) do
    local first = list[position - lockout[1] + 1]
    if first and list[position] - first < lockout[2] then longest = math.max(longest, list[position] + lockout[3]) end
  end
  return longest
end
