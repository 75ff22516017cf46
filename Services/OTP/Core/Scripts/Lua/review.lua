-- Opens or ends the review access of a number. Until its expiry one code, which is never sent, is valid for the number.
-- KEYS: the fifth is the index of all that are open (tag -> run, end and a label).
-- The call has the number's tag, ends (0: end it now), salt, openMax (how many may be open at once), a label, and the operator.
-- Answers: opened, ended, not_open or too_many.

local function endOpenReview(state, call, indexKey)
  redis.call('HDEL', indexKey, call.tag)
  if not state.number.review then
    audit(state, audited.lookedUp, call.tag, call.operator)
    return { result = 'not_open' }
  end
  endReview(state.number)
  state.isChanged = true
  audit(state, audited.reviewEnded, call.tag, call.operator)
  return { result = 'ended' }
end

-- Removes accesses that have ended from the index. Returns the number of others than the tag's, and when the last one ends.
local function otherReviews(state, tag, indexKey)
  local others, latest = 0, 0
  local index = redis.call('HGETALL', indexKey)
  for position = 1, #index, 2 do
    local run, ends = cmsgpack.unpack(index[position + 1])
    if run ~= state.run or ends <= state.now then
      redis.call('HDEL', indexKey, index[position])
    elseif index[position] ~= tag then
      others, latest = others + 1, math.max(latest, ends)
    end
  end
  return others, latest
end

function change.review(state, call, keys)
  local ends, indexKey = tonumber(call.ends), keys[5]
  if ends == 0 then return endOpenReview(state, call, indexKey) end
  local others, latest = otherReviews(state, call.tag, indexKey)
  if others >= tonumber(call.openMax) then return { result = 'too_many' } end

  -- Earlier challenges belong to another code.
  endReview(state.number)
  state.number.review, state.isChanged = { ends = ends, salt = call.salt, run = state.run }, true
  redis.call('HSET', indexKey, call.tag, cmsgpack.pack(state.run, ends, call.label))
  redis.call('EXPIRE', indexKey, math.max(1, math.max(latest, ends) - state.now))
  local detail = string.format('until %d', ends)
  audit(state, audited.reviewOpened, call.tag, call.operator == '' and detail or detail .. ' ' .. call.operator)
  return { result = 'opened' }
end
