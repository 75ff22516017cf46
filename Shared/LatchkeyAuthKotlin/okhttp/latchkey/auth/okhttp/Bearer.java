package latchkey.auth.okhttp;

import java.io.IOException;
import latchkey.auth.AuthError;
import latchkey.auth.AuthException;
import latchkey.auth.LatchkeyAuth;
import okhttp3.Request;
import okhttp3.Response;

/** The header with the access token. */
final class Bearer {
    private static final String PREFIX = "Bearer ";

    private Bearer() {}

    static Request put(Request request, String token) {
        return request.newBuilder().header("Authorization", PREFIX + token).build();
    }

    /** Returns the token of a request, or null if it has none. */
    static String of(Request request) {
        String header = request.header("Authorization");
        return header != null && header.startsWith(PREFIX) ? header.substring(PREFIX.length()) : null;
    }

    /** Returns another token in place of a refused one, or null if a newer one would be refused as well. */
    static String insteadOf(LatchkeyAuth auth, String token, Response refusal) throws IOException {
        try {
            boolean wantsProof = Refusal.of(refusal).getWantsProof();
            return wantsProof ? auth.accessTokenAfterProofBlocking(token) : auth.accessTokenInsteadOfBlocking(token);
        } catch (AuthException failure) {
            AuthError error = failure.getError();
            if (error == AuthError.RefusedAgain.INSTANCE || error == AuthError.ReauthenticationRequired.INSTANCE) {
                return null;
            }
            refusal.close();
            throw failure;
        }
    }
}
