package latchkey.auth.okhttp;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import latchkey.auth.AuthError;
import latchkey.auth.AuthException;
import latchkey.auth.HttpRequest;
import latchkey.auth.HttpResponse;
import latchkey.auth.Transport;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.CookieJar;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import okio.Okio;
import okio.Source;

/**
 * The library's own requests by OkHttp.
 *
 * <p>A client of its own: no redirects, cookies, cache or interceptors, and a connection for each request, so that OkHttp has no
 * reason to repeat one.
 */
public final class OkHttpTransport implements Transport {
    private static final MediaType JSON = MediaType.parse("application/json");
    private final OkHttpClient client;

    public OkHttpTransport() {
        this(new OkHttpClient());
    }

    /** Creates a transport with the proxy, DNS, TLS settings and certificate pins of a client. */
    public OkHttpTransport(OkHttpClient settings) {
        OkHttpClient.Builder builder = settings.newBuilder()
            .connectionPool(new ConnectionPool(0, 1, TimeUnit.MINUTES)).cookieJar(CookieJar.NO_COOKIES).cache(null)
            .followRedirects(false).followSslRedirects(false).retryOnConnectionFailure(false)
            .connectTimeout(10, TimeUnit.SECONDS).readTimeout(20, TimeUnit.SECONDS).callTimeout(20, TimeUnit.SECONDS)
            .authenticator(okhttp3.Authenticator.NONE);
        builder.interceptors().clear();
        builder.networkInterceptors().clear();
        builder.addNetworkInterceptor(chain -> withoutOverflow(chain.proceed(chain.request())));
        client = builder.build();
    }

    @Override
    public HttpResponse send(HttpRequest request) throws IOException {
        Request.Builder builder = new Request.Builder().url(request.getUrl());
        for (Map.Entry<String, String> header : request.getHeaders().entrySet()) {
            builder.header(header.getKey(), header.getValue());
        }
        Call call = client.newCall(builder.method(request.getMethod(), body(request)).build());
        try (Response response = call.execute()) {
            return new HttpResponse(response.code(), headers(response), HttpResponse.bodyOf(response.body().byteStream()));
        } catch (ProtocolException failure) {
            // A 204 with a body or a 407, as a portal may send it. Other faults of the protocol are responses that were cut off.
            String reason = String.valueOf(failure.getMessage());
            boolean isPortal = reason.startsWith("HTTP 20") || reason.contains("407");
            throw isPortal ? new AuthException(AuthError.NotLatchkey.INSTANCE) : failure;
        } catch (InterruptedIOException failure) {
            // The client's own limit, or an interrupted thread.
            throw failure.getClass() == InterruptedIOException.class ? new SocketTimeoutException() : failure;
        }
    }

    /** OkHttp reads the Retry-After of a 503 as an int, and throws an unchecked exception at a longer number. */
    private static Response withoutOverflow(Response response) {
        String wait = response.header("Retry-After");
        return wait == null || wait.length() < 10 ? response : response.newBuilder().removeHeader("Retry-After").build();
    }

    private static RequestBody body(HttpRequest request) {
        // The body's own type would replace that of the headers.
        MediaType type = request.header("Content-Type") == null ? JSON : null;
        if (request.getBody() != null) {
            return RequestBody.create(type, request.getBody());
        }
        if (request.getStream() != null) {
            return new StreamBody(type, request.getStream());
        }
        boolean needsBody = request.getMethod().equals("POST") || request.getMethod().equals("PATCH");
        return needsBody ? RequestBody.create(null, new byte[0]) : null;
    }

    /** A body that can be written once. */
    private static final class StreamBody extends RequestBody {
        private final MediaType type;
        private final InputStream stream;

        StreamBody(MediaType type, InputStream stream) {
            this.type = type;
            this.stream = stream;
        }

        @Override
        public MediaType contentType() {
            return type;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            try (Source source = Okio.source(stream)) {
                sink.writeAll(source);
            }
        }
    }

    private static Map<String, String> headers(Response response) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : response.headers().names()) {
            headers.put(name, response.header(name));
        }
        return headers;
    }
}
