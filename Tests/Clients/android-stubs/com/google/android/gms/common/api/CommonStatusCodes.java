package com.google.android.gms.common.api;

public class CommonStatusCodes {
    public static final int SUCCESS = 0;
    public static final int TIMEOUT = 15;
}
