package latchkey.auth.okhttp;

import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import latchkey.auth.HttpResponse;
import okhttp3.Response;

/** The refusal of a request, as the library reads it. The response stays readable. */
final class Refusal {
    private static final String CHALLENGE = "WWW-Authenticate";

    /** A refusal of the server is shorter. */
    private static final long BYTES_MAX = 1 << 16;

    private Refusal() {}

    static HttpResponse of(Response response) throws IOException {
        String challenge = String.valueOf(response.headers(CHALLENGE));
        Map<String, String> headers = Collections.singletonMap(CHALLENGE, challenge);
        return new HttpResponse(response.code(), headers, response.peekBody(BYTES_MAX).bytes());
    }
}
