package latchkey.auth.okhttp;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import okhttp3.FormBody;
import okhttp3.MultipartBody;
import okhttp3.RequestBody;
import okio.ByteString;

/** Whether a body can be written twice. */
final class Repeat {
    /** {@code RequestBody.isOneShot}, which OkHttp has from 3.14 on, or null. */
    private static final Method IS_ONE_SHOT = oneShot();

    /** OkHttp's own bodies of bytes, texts and files. */
    private static final List<Class<?>> KNOWN = Arrays.asList(
        RequestBody.create(null, new byte[0]).getClass(), RequestBody.create(null, "").getClass(),
        RequestBody.create(null, ByteString.EMPTY).getClass(), RequestBody.create(null, new File("")).getClass());

    private Repeat() {}

    static boolean isPossible(RequestBody body) {
        if (body == null || body instanceof FormBody) {
            return true;
        }
        if (body instanceof MultipartBody) {
            for (MultipartBody.Part part : ((MultipartBody) body).parts()) {
                if (!isPossible(part.body())) {
                    return false;
                }
            }
            return true;
        }
        return IS_ONE_SHOT == null ? KNOWN.contains(body.getClass()) : !isOneShot(body);
    }

    private static Method oneShot() {
        try {
            return RequestBody.class.getMethod("isOneShot");
        } catch (NoSuchMethodException earlier) {
            return null;
        }
    }

    private static boolean isOneShot(RequestBody body) {
        try {
            return (Boolean) IS_ONE_SHOT.invoke(body);
        } catch (IllegalAccessException | InvocationTargetException failure) {
            return true;
        }
    }
}
