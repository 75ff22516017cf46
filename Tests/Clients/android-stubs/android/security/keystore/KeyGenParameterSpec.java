package android.security.keystore;

public final class KeyGenParameterSpec implements java.security.spec.AlgorithmParameterSpec {
    public final String alias;

    private KeyGenParameterSpec(String alias) { this.alias = alias; }

    public static final class Builder {
        private final String alias;

        public Builder(String alias, int purposes) { this.alias = alias; }
        public Builder setKeySize(int bits) { return this; }
        public Builder setBlockModes(String... modes) { return this; }
        public Builder setEncryptionPaddings(String... paddings) { return this; }
        public KeyGenParameterSpec build() { return new KeyGenParameterSpec(alias); }
    }
}
