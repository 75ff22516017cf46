package latchkey.auth.okhttp;

import java.io.IOException;
import latchkey.auth.AuthException;
import latchkey.auth.HttpResponse;
import latchkey.auth.LatchkeyAuth;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Puts the access token into an app's requests, and sends a request again, once, if the API answers 401. If the API wants a more
 * recent authentication, {@link LatchkeyAuth#onReauthenticate} comes before that.
 *
 * <pre>new OkHttpClient.Builder().addInterceptor(new LatchkeyInterceptor(auth)).build()</pre>
 *
 * <p>Add it as an application interceptor. The token goes only where {@link LatchkeyAuth#mayKnowToken} allows it. A renewal runs
 * on threads and connections of the library, so it goes on when all of the client's own wait for it. A request whose body can be
 * written only once is not sent again.
 */
public final class LatchkeyInterceptor implements Interceptor {
    private final LatchkeyAuth auth;

    public LatchkeyInterceptor(LatchkeyAuth auth) {
        this.auth = auth;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        if (!auth.mayKnowToken(request.url().toString())) {
            return chain.proceed(request);
        }
        String token = auth.accessTokenBlocking();
        Response first = chain.proceed(Bearer.put(request, token));
        if (first.code() != 401 && first.code() != 403) {
            return first;
        }
        HttpResponse refusal = Refusal.of(first);
        if (refusal.getSaysInactive()) {
            return renewedAfter(first, token);
        }
        boolean isAboutToken = first.code() == 401 || refusal.getWantsProof();
        if (!isAboutToken || !Repeat.isPossible(request.body())) {
            return first;
        }
        String other = Bearer.insteadOf(auth, token, first);
        if (other == null) {
            return first;
        }
        first.close();
        return chain.proceed(Bearer.put(request, other));
    }

    /** Renews the token, since an API's own 403 may say the same. Throws if the server has ended the session. */
    private Response renewedAfter(Response refusal, String token) throws IOException {
        try {
            auth.accessTokenInsteadOfBlocking(token);
        } catch (AuthException failure) {
            if (!failure.getError().getKeepsSession()) {
                refusal.close();
                throw failure;
            }
        }
        return refusal;
    }
}
