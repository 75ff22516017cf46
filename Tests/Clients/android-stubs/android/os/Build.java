package android.os;

public class Build {
    /** No constant, which the compiler would put into the library. */
    public static final String MODEL = String.valueOf("Stub");

    public static class VERSION {
        public static int SDK_INT = 34;
    }
}
