-- Forgets the guesses at an account and its known networks, because the owner of its mailbox has set another password. Their
-- network is known from now on.
-- Returns {'done'}.

account.start, account.count, account.cleared = now, 0, now
account.known = net ~= '' and { { net, today } } or {}
saveAccount()
redis.call('DEL', ownKey)
return { 'done' }
