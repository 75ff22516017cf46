package android.security.keystore;

public class KeyPermanentlyInvalidatedException extends java.security.InvalidKeyException {}
