-- Opens or ends the review access of a number. Until its expiry one code, which is never sent, is valid for the number.
-- KEYS: refusals, audit, bucket, the number's own key, index of all that are open (tag -> run, end and a label).
-- ARGV: now, field, tag, end (0: end it now), salt, how many may be open at once, label, the operator.
-- Returns {'opened'}, {'ended'}, {'not_open'} or {'too_many'}.

local indexKey, tag, ends, salt, openMax, label, operator =
  KEYS[5], ARGV[3], tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6]), ARGV[7], ARGV[8]
if redis.call('XLEN', auditKey) >= audited.entriesMax then return { 'audit_full' } end

if ends == 0 then
  redis.call('HDEL', indexKey, tag)
  if not number.review then
    audit(now, audited.lookedUp, tag, operator)
    return { 'not_open' }
  end
  endReview(number)
  save()
  audit(now, audited.reviewEnded, tag, operator)
  return { 'ended' }
end

local others, latest = 0, ends
local index = redis.call('HGETALL', indexKey)
for position = 1, #index, 2 do
  local indexRun, indexEnds = cmsgpack.unpack(index[position + 1])
  if indexRun ~= run or indexEnds <= now then
    redis.call('HDEL', indexKey, index[position])
  elseif index[position] ~= tag then
    others, latest = others + 1, math.max(latest, indexEnds)
  end
end
if others >= openMax then return { 'too_many' } end

-- Earlier challenges belong to another code.
endReview(number)
number.review = { ends = ends, salt = salt, run = run }
save()
redis.call('HSET', indexKey, tag, cmsgpack.pack(run, ends, label))
redis.call('EXPIRE', indexKey, math.max(1, latest - now))
audit(now, audited.reviewOpened, tag, string.format('until %d', ends) .. (operator == '' and '' or ' ' .. operator))
return { 'opened' }
