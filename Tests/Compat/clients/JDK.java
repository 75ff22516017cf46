import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;

/** Sends one request by java.net.http, which offers h2c on every plain one: METHOD URL TOKEN TYPE FILE. */
class JDK {
    public static void main(String[] words) throws Exception {
        var body = words[4].isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofFile(Path.of(words[4]));
        var request = HttpRequest.newBuilder(URI.create(words[1])).method(words[0], body);
        if (!words[2].isEmpty()) request.header("Authorization", "Bearer " + words[2]);
        if (!words[3].isEmpty()) request.header("Content-Type", words[3]);
        var response = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
        System.out.println(response.statusCode() + "\n" + response.body());
    }
}
