package com.google.android.gms.auth.api.phone;

import com.google.android.gms.tasks.Task;

public class SmsRetrieverClient {
    public Task<Void> startSmsRetriever() { return new Task<>(); }
    public Task<Void> startSmsUserConsent(String sender) { return new Task<>(); }
}
