package android.content;

public class Context {
    public static final String CONNECTIVITY_SERVICE = "connectivity";
    public static final String USER_SERVICE = "user";
    public static final int RECEIVER_EXPORTED = 2;

    public final java.util.Map<String, Object> services = new java.util.HashMap<>();
    public final java.util.Map<BroadcastReceiver, IntentFilter> receivers = new java.util.concurrent.ConcurrentHashMap<>();
    public java.io.File folder = new java.io.File(".");
    private final android.content.pm.PackageManager packages = new android.content.pm.PackageManager();

    public Context getApplicationContext() { return this; }
    public java.io.File getNoBackupFilesDir() { return folder; }
    public Object getSystemService(String name) { return services.get(name); }
    public String getPackageName() { return "com.example.app"; }
    public android.content.pm.PackageManager getPackageManager() { return packages; }
    public java.util.concurrent.Executor getMainExecutor() { return Runnable::run; }
    public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter) { receivers.put(receiver, filter); return null; }
    public Intent registerReceiver(
            BroadcastReceiver receiver, IntentFilter filter, String permission, android.os.Handler handler) {
        return registerReceiver(receiver, filter);
    }
    public Intent registerReceiver(
            BroadcastReceiver receiver, IntentFilter filter, String permission, android.os.Handler handler, int flags) {
        return registerReceiver(receiver, filter);
    }
    /** What was opened last. */
    public Intent opened;
    public boolean hasBrowser = true;
    public void startActivity(Intent intent) {
        if (!hasBrowser) throw new ActivityNotFoundException();
        opened = intent;
    }
    public void unregisterReceiver(BroadcastReceiver receiver) { receivers.remove(receiver); }

    /** Delivers a broadcast, as the system does. */
    public void broadcast(Intent intent) {
        receivers.forEach((receiver, filter) -> {
            if (filter.action.equals(intent.getAction())) receiver.onReceive(this, intent);
        });
    }
}
