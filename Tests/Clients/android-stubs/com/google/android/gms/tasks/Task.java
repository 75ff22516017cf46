package com.google.android.gms.tasks;

public class Task<T> {
    /** Tells a listener at once. */
    public static Exception failure;

    public Task<T> addOnFailureListener(OnFailureListener listener) {
        if (failure != null) listener.onFailure(failure);
        return this;
    }
}
