# As aarokya's document prints them in its four steps. What runs them puts the gateway's address in the place of
# https://api.aarokya.in and the tokens of step 2 in the places of <access_token> and <refresh_token>.
curl -X POST https://api.aarokya.in/auth/otp/trigger \
  -H 'Content-Type: application/json' \
  -d '{"phone": "9876543210"}'

curl -X POST https://api.aarokya.in/auth/otp/verify \
  -H 'Content-Type: application/json' \
  -d '{"phone": "9876543210", "otp": "123456"}'

curl https://api.aarokya.in/user/profile \
  -H 'Authorization: Bearer <access_token>'

curl -X POST https://api.aarokya.in/auth/token/refresh \
  -H 'Content-Type: application/json' \
  -d '{"refresh_token": "<refresh_token>"}'
