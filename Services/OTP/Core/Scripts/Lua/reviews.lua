-- Lists the review accesses that are open.
-- KEYS: their index. ARGV: now. Uses: run.lua. Answers { { end, label }, ... }.

local open, index = {}, redis.call('HVALS', KEYS[1])
for _, value in ipairs(index) do
  local indexRun, ends, label = cmsgpack.unpack(value)
  if indexRun == run and ends > tonumber(ARGV[1]) then open[#open + 1] = { ends, label } end
end
return open
