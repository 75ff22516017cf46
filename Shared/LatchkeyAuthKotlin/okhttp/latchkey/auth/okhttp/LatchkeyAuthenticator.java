package latchkey.auth.okhttp;

import java.io.IOException;
import latchkey.auth.LatchkeyAuth;
import okhttp3.Authenticator;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.Route;

/**
 * Renews the access token after a 401, for an app that puts the token into its requests itself.
 *
 * <p>{@link LatchkeyInterceptor} does both, renews a token before it ends, and notices that an account is not active any more.
 * This class takes the place of an
 * {@code Authenticator} that the app already has.
 */
public final class LatchkeyAuthenticator implements Authenticator {
    private final LatchkeyAuth auth;

    public LatchkeyAuthenticator(LatchkeyAuth auth) {
        this.auth = auth;
    }

    @Override
    public Request authenticate(Route route, Response response) throws IOException {
        String token = Bearer.of(response.request());
        boolean isRepeatable = Repeat.isPossible(response.request().body());
        boolean mayKnow = auth.mayKnowToken(response.request().url().toString());
        if (token == null || !isRepeatable || wasRefusedBefore(response) || !mayKnow) {
            return null;
        }
        String other = Bearer.insteadOf(auth, token, response);
        return other == null ? null : Bearer.put(response.request(), other);
    }

    private static boolean wasRefusedBefore(Response response) {
        for (Response prior = response.priorResponse(); prior != null; prior = prior.priorResponse()) {
            if (prior.code() == 401) {
                return true;
            }
        }
        return false;
    }
}
