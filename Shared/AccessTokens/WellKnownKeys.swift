/// Key pairs whose private halves are published in documents, so that anyone can sign with them (security guide R-24).
enum WellKnownKeys {
    /// Whether `components` belong to such a key, under any `kid`.
    static func contains(_ components: PublicComponents) -> Bool {
        thumbprints.contains(JSONWebKey(components, kid: "").thumbprint)
    }

    private static let thumbprints: Set<String> = [
        "IsUn6_e04MaShXFIISMp4kG62LWzMIPy_MvSA5pJgX8",  // RFC 7515 A.2
        "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",  // RFC 7515 A.3
        "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s",  // RFC 7517 A.2, EC
        "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",  // RFC 7517 A.2, RSA
        "9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI",  // RFC 7520 3.4
        "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",  // RFC 8037 A.1
        "oGDmHqCJ7yzMkWEkrlZVHkvrHIyQwtlDmeq5ForUHeY",  // jwt.io, RS256
        "19J8y7Zprt2-QKLjF2I5pVk0OELX6cY2AfaAv1LC_w8",  // jwt.io, ES256
    ]
}
