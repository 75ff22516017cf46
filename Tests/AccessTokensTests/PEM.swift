/// Keys in PEM made by `openssl genpkey` for these tests alone.
enum PEM {
    static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgw2ZDQ0DizNLsa7F6
        /56fXNS1a9ItIozEkwFa4Z/Z0FShRANCAAS8dcW3EtoA9fZiDC6VnVYEElc3A8YO
        s9fMvtoD0Ur0yYruD6PjoYKnRNOWHkM0l5l8ugFPp24LUipa2LGH9/D8
        -----END PRIVATE KEY-----
        """

    static let p256Traditional = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIMNmQ0NA4szS7Guxev+en1zUtWvSLSKMxJMBWuGf2dBUoAoGCCqGSM49
        AwEHoUQDQgAEvHXFtxLaAPX2YgwulZ1WBBJXNwPGDrPXzL7aA9FK9MmK7g+j46GC
        p0TTlh5DNJeZfLoBT6duC1IqWtixh/fw/A==
        -----END EC PRIVATE KEY-----
        """

    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEILknu+GIdV2ez9vbbgMr+F+522Afar8cYQ7t1wvaiEGF
        -----END PRIVATE KEY-----
        """

    static let rsa1024 = """
        -----BEGIN PRIVATE KEY-----
        MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBAM3pdiHewhU93gWC
        xKmZoD7MXGr7zuLO2sg4TQHZO0mqS/x+nDwri6dFkjNlGP46opn/NUUfilPapG74
        Pm7xK4/Sw+MZVXNoUgiOoQ+0GXyUqwS8gIGLDKHuq7x0xXAzeN35FC9bq+j833/M
        qpo6NCsfRwNfYRzXopb7NrXwSsyPAgMBAAECgYEAh3xgAHVEGxn0JogewsGU0P1C
        qho5zL7y8d8pvFelTRlCmkbsoiK85zk9s5eH1G/cYZus/2h7aiVpIKMy4WjKkc72
        YUP8HF3CDST1ShsbplmK//L8RDjA+DmY9P1L1DHTieEplX/3u8sgPOoyXdgqBh5A
        /fdlUGtbRmMvKSDebDECQQD1nneLDyjOZJwFngwIEFm/U3W9paTmD4kHRdVH9Q9u
        D4Dfkq3X1BqFMSWb2wYuEV0BEgiorQl9B9wyYKEISEMdAkEA1p1f5+jk3yh58i7L
        9c5OoHlgcMEN12I6aC480MqHCnHImKLp1h4ZCd1k38GUV1GDU5Up30FGG7aiJQwC
        H2CymwJAJuUDNSgfZB+WfWU7roM4Uw3aVT/Hzw6iul4amhx6ZwlZdQ37LXRPBsxz
        kiyq29ywB51ddaiBGiWGfwvCNFeNGQJBAKgyGlHEYmrKbBfzuQFhuJlnxr9XbaOZ
        ZjDz29G+h+sVlaKaOy0F1ZW3nzEFo15zkbrVskU4ANwDXDwwlxFEVXUCQD5TZ7Jm
        Pf28pNBKOb8Wxe8VRyB8HX/bA41p3xJvczQWWOWkawFN8429kxqRPZM/7hfoiVj0
        I06dSfpd2GEjxvQ=
        -----END PRIVATE KEY-----
        """

    static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAJ6paaZoSuvN6SFSyH
        CLgJp/4HvpCIuaeFxEqxYWZ5i7WKx2Em6RjVcyzMmG9yCQ+hZANiAATb1e7+IjTS
        XDPVYU/oWV78Iw+zprZs61KDhbi8gWQZ6kR7BjNacji8GpIPGkQAhXSAU20tlTgL
        q7L3Od0tIkPN/ENtevce4NRwOQb44Vp7tpOXxqJuHtA0GcBaueVJsks=
        -----END PRIVATE KEY-----
        """

    static let secp256k1 = """
        -----BEGIN PRIVATE KEY-----
        MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgRmAiv5sHDpLV7gT/2EZ3
        T12Ki+VrrCXdHsTu7hm9T82hRANCAATbx6xau1YLyltXrJyxEiwkuxf61db0MRzk
        dc4Fxstv/WHvlfh1VZj5+qIirAKYQ6OMiFqqyvViBtNlNd0ZzxpX
        -----END PRIVATE KEY-----
        """

    static let ed448 = """
        -----BEGIN PRIVATE KEY-----
        MEcCAQAwBQYDK2VxBDsEOWSyI+3p7DI7ViIX2IKPJYr0ZyhR89ZW70lNRtDxWtWX
        Chr4I7/01Zfhh8kvX6UumK1PG8J5ze+CfQ==
        -----END PRIVATE KEY-----
        """

    static let x25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VuBCIEIEBZWpBiHctykeyTWcYiH3LWhf0XAhxA8lI7Fp7rKXdW
        -----END PRIVATE KEY-----
        """

    static let p256Encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhW2uNxr831TgICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEOOGO7P0Jrgl8adNmt6nMGgEgZAi
        OfPFZZeKOsrdnsoqvGOHtj/tLODQMB19c/GPjlgUj/rym3lJYC5qXFuFmpeNDzzv
        uc0mWBHgdWWnEjlMRjBRHpfdmeuYruUaGlyozp4wxtRrT+jomWGdBNZL81QdW1zO
        vr/USW27Vgi5kFQoBPXL1iuUz1dDI/rwTO0eQh8dHwNke1bj49/iG9iz2LrMPug=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    static let p256EncryptedTraditional = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,01CEE032154755E051CA59E1EDE632D8

        /gksOPGVvKzQ2d8dKOz7Ws2/GkOsNXR6mXl6C32GnVTVarKqSINceq7oE0YKw9t4
        4CoelBIccdIzTzLz+gjVjf8Zy9JyMPZ0z+qkylzsNw0JI65Zagy55fnErX8v/spr
        YmmbUHsXwApGS9Hos/K2zg4pSbJXgCtzaxK23osJokc=
        -----END EC PRIVATE KEY-----
        """

    static let p256Public = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEvHXFtxLaAPX2YgwulZ1WBBJXNwPG
        DrPXzL7aA9FK9MmK7g+j46GCp0TTlh5DNJeZfLoBT6duC1IqWtixh/fw/A==
        -----END PUBLIC KEY-----
        """
}
