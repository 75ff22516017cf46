package android.net;

public class NetworkRequest {
    public static class Builder {
        public NetworkRequest build() { return new NetworkRequest(); }
    }
}
