package android.app;

public class Activity extends android.content.Context {
    public boolean isChanging;

    public boolean isChangingConfigurations() { return isChanging; }
    public Application getApplication() { return new Application(); }
    public android.content.Intent getIntent() { return null; }
    protected void onCreate(android.os.Bundle savedInstanceState) {}
    protected void onNewIntent(android.content.Intent intent) {}
}
