import java.io.File;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;

/** Sends one request by OkHttp: METHOD URL TOKEN TYPE FILE. */
class OkHttp {
    public static void main(String[] words) throws Exception {
        var type = words[3].isEmpty() ? null : MediaType.parse(words[3]);
        var body = words[4].isEmpty() ? null : RequestBody.create(type, new File(words[4]));
        var request = new Request.Builder().url(words[1]).method(words[0], body);
        if (!words[2].isEmpty()) request.header("Authorization", "Bearer " + words[2]);
        // Without its retry, which would hide a connection that breaks.
        var client = new OkHttpClient.Builder().retryOnConnectionFailure(false).build();
        var response = client.newCall(request.build()).execute();
        System.out.println(response.code() + "\n" + response.body().string());
        System.exit(0);
    }
}
