package com.google.android.gms.common.api;

public final class Status implements android.os.Parcelable {
    private final int code;

    public Status(int code) { this.code = code; }
    public int getStatusCode() { return code; }
}
