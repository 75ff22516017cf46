package com.google.android.gms.tasks;

public class Task<T> {
    public Task<T> addOnFailureListener(OnFailureListener listener) { return this; }
}
