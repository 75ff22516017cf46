package android.content.pm;

public class Signature {
    private final String text;

    public Signature(String text) { this.text = text; }
    public String toCharsString() { return text; }
}
