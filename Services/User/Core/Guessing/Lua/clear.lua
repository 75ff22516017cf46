-- Forgets guesses at an account, and the networks that it was known at: its password is another one now, set by the owner of
-- its mailbox, whose network is known from here on.
-- Returns {'done'}.

account.start, account.count, account.cleared = now, 0, now
account.known = net ~= '' and { { net, today } } or {}
saveAccount()
redis.call('DEL', ownKey)
return { 'done' }
