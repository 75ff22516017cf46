-- Lists the review accesses that are open.
-- KEYS: their index. The call has the tag of a number, or ''. Answers: open, with { end, label } for each; ends of the tag's, or 0.

local function reviews(keys, words)
  local call, open, ends, index = readCall(words), {}, 0, redis.call('HGETALL', keys[1])
  local run = readRun()
  for position = 2, #index, 2 do
    local indexRun, last, label = cmsgpack.unpack(index[position])
    if indexRun == run and last > tonumber(call.now) then
      open[#open + 1] = { last, label }
      if index[position - 1] == call.tag then ends = last end
    end
  end
  return answer({ open = open, ends = ends })
end
