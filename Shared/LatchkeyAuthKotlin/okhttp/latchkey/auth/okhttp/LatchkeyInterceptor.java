package latchkey.auth.okhttp;

import java.io.IOException;
import latchkey.auth.LatchkeyAuth;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * Puts the access token into an app's requests, and sends a request again, once, if the API answers 401.
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
        if (first.code() != 401 || !isRepeatable(request.body())) {
            return first;
        }
        String other = Bearer.insteadOf(auth, token, first);
        if (other == null) {
            return first;
        }
        first.close();
        return chain.proceed(Bearer.put(request, other));
    }

    /** Whether a body can be written twice. A body of unknown length is a stream. */
    private static boolean isRepeatable(RequestBody body) throws IOException {
        return body == null || body.contentLength() >= 0;
    }
}
