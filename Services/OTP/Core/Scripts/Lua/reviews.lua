-- Lists the review accesses that are open.
-- KEYS: their index. ARGV: now. Uses: run.lua. Returns { { end, label }, ... }.

local open, index = {}, redis.call('HGETALL', KEYS[1])
for position = 2, #index, 2 do
  local indexRun, ends, label = cmsgpack.unpack(index[position])
  if indexRun == run and ends > tonumber(ARGV[1]) then open[#open + 1] = { ends, label } end
end
return open
