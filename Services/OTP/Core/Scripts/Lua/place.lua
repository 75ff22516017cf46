-- The place of a number's value: in a hash with others, which Redis keeps as one block of memory, or, with a long history, under a
-- separate key.
-- KEYS: refusals, audit, bucket, the number's own key.

local function readPlace(state, keys, field)
  state.inBucket = redis.call('HGET', keys[3], field)
  state.inOwn = not state.inBucket and redis.call('GET', keys[4])
  state.number = prune(readNumber(state.inBucket or state.inOwn or nil, state.now, state.rules), state.now, state.rules)
end

local function savePlace(state, keys, field)
  local value, life = numberValue(state.number), numberLife(state.number, state.now, state.rules)
  if not value then
    redis.call('HDEL', keys[3], field)
    redis.call('DEL', keys[4])
  elseif #value <= state.rules.bucketValueBytesMax then
    redis.call('HSET', keys[3], field, value)
    if redis.call('TTL', keys[3]) < life then redis.call('EXPIRE', keys[3], life) end
    if state.inOwn then redis.call('DEL', keys[4]) end
  else
    redis.call('SET', keys[4], value, 'EX', life)
    if state.inBucket then redis.call('HDEL', keys[3], field) end
  end
end
