"""PyJWT judges identity tokens as an app's server would: one JSON object a line, {"jwks", "issuer", "audience", "token"}; each
line is answered with `accepted` or `refused`.
"""

import json
import sys

import jwt

ALGORITHMS = ["RS256", "ES256"]


def judge(request):
    keys = {key["kid"]: jwt.PyJWK(key) for key in request["jwks"]["keys"]}
    try:
        name = jwt.get_unverified_header(request["token"])["kid"]
        jwt.decode(request["token"], keys[name].key, algorithms=ALGORITHMS, audience=request["audience"],
                   issuer=request["issuer"], options={"require": ["exp", "iat", "aud", "iss", "sub"]})
        return "accepted"
    except (jwt.InvalidTokenError, KeyError, TypeError):
        return "refused"


for line in sys.stdin:
    print(judge(json.loads(line)))
