-- Counts a guess, then compares it; atomically.
-- The guess and the challenge's code are compared as HMACs under a key that Redis does not have.
-- ARGV of its own: proof of the guess; 'link' if it came in a link, which nobody can guess.
-- Answers {'approved', created, seed, until, 'review' | ''}, {'limited', rule, seconds} or {result}.

local proof, isLink = ARGV[8], ARGV[9] == 'link'
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
  return { 'approved', challenge.created, challenge.seed, approvedUntil, review and 'review' or '' }
end

local earlier = earlierCall(RIGHT, WRONG)
if earlier and earlier.kind == WRONG then return { 'wrong_code' } end
if earlier then
  if approvedUntil and approvedUntil > now and challenge.proof == proof then return approval() end
  return { 'used' }
end

-- Lockouts come before the comparison, so that they hold for the right code too, whenever it was sent.
local addressRule, addressWait = longestWait({})
local rule, wait = longestWait({
  { 'lockout', number.locked[scope] - now }, { 'phone', slidingWait(times(RIGHT, WRONG), rules.attempts) },
})
-- Every call counts for the address, those too that something else refuses.
if not addressRule then countWindows() end
if rule then return refuse(rule, 'limited', rule, wait) end

-- The link of another challenge says nothing of this one, whose guesses stay as they are.
if isLink and not (challenge and challenge.proof == proof) then return refuse('link', 'wrong_code') end

if not challenge then return refuse('unknown', 'unknown') end
if not challenge.approved and challenge.created + rules.lifetime <= now then return refuse('expired', 'expired') end
if challenge.tries[scope] >= rules.tries then
  -- Waiting helps as soon as another code can be asked for.
  wait = math.max(1, slidingWait(times(SENT, FAILED), rules.sends))
  if scope == STRANGER and challenge.wanted and challenge.tries[KNOWN] < rules.tries then
    wait = math.max(wait, (approvedUntil or challenge.created + rules.lifetime) - now)
  end
  return refuse('challenge', 'limited', 'challenge', wait)
end

-- The same success once more takes nothing from what is left for guesses.
if approvedUntil and approvedUntil > now and challenge.proof == proof then return approval() end

-- Counted first, as a wrong one: whatever happens from here on, this guess is spent.
local guess = { kind = WRONG, scope = scope, time = now, call = call }
number.events[#number.events + 1] = guess
challenge.tries[scope] = challenge.tries[scope] + 1

if proof ~= challenge.proof then
  local failures = times(WRONG, WRONG)
  table.sort(failures)
  for _, lockout in ipairs(rules.lockouts) do
    local first = failures[#failures - lockout[1] + 1]
    if first and now - first < lockout[2] then number.locked[scope] = math.max(number.locked[scope], now + lockout[3]) end
  end
  save()
  audit(now, audited.wrongCode, subject, scopeName)
  if number.locked[scope] > now then
    audit(now, audited.locked, subject, scopeName .. ' ' .. number.locked[scope] - now)
  end
  return { 'wrong_code' }
end

guess.kind = RIGHT
if challenge.approved then
  save()
  return refuse('used', 'used')
end
challenge.approved = math.max(now, challenge.created)
approvedUntil = approvalEnd()
-- From here the number is known at this address block.
local known = { { block = block, day = math.floor(now / 86400) } }
for _, other in ipairs(number.known) do
  if other.block ~= block and #known < rules.knownMax then known[#known + 1] = other end
end
number.known = known
save()
audit(now, review and audited.reviewUsed or audited.approved, subject, scopeName)
if not review then countApproval() end
return approval()
