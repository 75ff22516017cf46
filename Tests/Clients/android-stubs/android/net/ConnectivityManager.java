package android.net;

public class ConnectivityManager {
    public final java.util.Set<NetworkCallback> callbacks = java.util.concurrent.ConcurrentHashMap.newKeySet();
    public boolean isAllowed = true;

    public void registerNetworkCallback(NetworkRequest request, NetworkCallback callback) {
        if (!isAllowed) throw new SecurityException("ACCESS_NETWORK_STATE");
        callbacks.add(callback);
    }
    public void unregisterNetworkCallback(NetworkCallback callback) { callbacks.remove(callback); }

    public static class NetworkCallback {
        public void onAvailable(Network network) {}
    }
}
