package android.app;

public class Activity extends android.content.Context {
    public boolean isChanging;

    public boolean isChangingConfigurations() { return isChanging; }
}
