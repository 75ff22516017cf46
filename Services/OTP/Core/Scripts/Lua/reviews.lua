-- Lists the review accesses that are open.
-- KEYS: their index. Answers: open, with { end, label } for each.

local function reviews(keys, words)
  local call, open, index = readCall(words), {}, redis.call('HGETALL', keys[1])
  local run = readRun()
  for position = 2, #index, 2 do
    local indexRun, ends, label = cmsgpack.unpack(index[position])
    if indexRun == run and ends > tonumber(call.now) then open[#open + 1] = { ends, label } end
  end
  return answer({ open = open })
end
