package android.util;

public class Base64 {
    public static final int NO_PADDING = 1;
    public static final int NO_WRAP = 2;

    public static String encodeToString(byte[] bytes, int flags) {
        return java.util.Base64.getEncoder().withoutPadding().encodeToString(bytes);
    }
}
