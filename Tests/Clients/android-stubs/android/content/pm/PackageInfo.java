package android.content.pm;

public class PackageInfo {
    public Signature[] signatures = {new Signature("308201dd")};
}
