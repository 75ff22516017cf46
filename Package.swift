// swift-tools-version: 6.2
import PackageDescription

/// Every target is built with the same strict settings: warnings are errors, unsafe C calls say so.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(), .treatAllWarnings(as: .error),
]

// MARK: - Dependencies by short name

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let collections: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTLS: Target.Dependency = .product(name: "HummingbirdTLS", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let jwtKit: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS: Target.Dependency = .product(name: "NIOTLS", package: "swift-nio")
let nioHPACK: Target.Dependency = .product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTP2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let tracing: Target.Dependency = .product(name: "Tracing", package: "swift-distributed-tracing")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

// MARK: - Shapes of targets

/// A library under `Shared/`, used by more than one process.
func shared(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Shared/\(name)", exclude: exclude, swiftSettings: strict)
}

/// Apple's declaration of the client library's data. On Linux it is left out, so that the library has no resource bundle there.
let privacyManifest: (file: String, isCopied: Bool) = {
    #if os(macOS)
    ("PrivacyInfo.xcprivacy", true)
    #else
    ("PrivacyInfo.xcprivacy", false)
    #endif
}()

/// A C library of the system, bound by `Shared/<name>/module.modulemap`.
func system(_ name: String, apt package: String) -> Target {
    .systemLibrary(name: name, path: "Shared/\(name)", providers: [.apt([package])])
}

/// A process: `Services/<folder>/Core` holds what it does, `Services/<folder>/Main` starts it.
///
/// - Parameters:
///   - resources: files of `Core` that become constants of `PackageResources`.
///   - stores: what `Services/<folder>/Store`, its tables in both databases, uses besides; nil for a process that stores nothing.
func service(
    _ executable: String, _ folder: String, _ dependencies: [Target.Dependency], resources: [Resource] = [],
    stores: [Target.Dependency]? = nil
) -> [Target] {
    let core = Target.target(
        name: "\(folder)Core", dependencies: dependencies, path: "Services/\(folder)/Core", resources: resources,
        swiftSettings: strict)
    let tables = stores.map { besides in
        Target.target(
            name: "\(folder)Tables",
            dependencies: [
                .target(name: "\(folder)Core"), "PostgreSQL", "SQLiteStore", "ServiceKit", "Storage",
            ] + besides,
            path: "Services/\(folder)/Store",
            resources: [.embedInCode("Schema")],
            swiftSettings: strict)
    }
    let main = Target.executableTarget(
        name: executable,
        dependencies: [.target(name: "\(folder)Core"), "ServiceKit"]
            + [tables].compactMap { $0.map { .target(name: $0.name) } },
        path: "Services/\(folder)/Main", swiftSettings: strict)
    return [core, main] + [tables].compactMap { $0 }
}

/// The tests of one library, or one live suite.
func tests(_ name: String, _ dependencies: [Target.Dependency], scripts: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(name)Tests", exclude: scripts,
        swiftSettings: strict)
}

/// A document's own Swift code as a program, in the language of its time and without this package's settings.
func printedClient(_ name: String, _ folder: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["ClientReport", "KeychainStandIn"], path: "Tests/Compat/\(folder)/Swift",
        swiftSettings: [.swiftLanguageMode(.v5)])
}

let package = Package(
    name: "Latchkey",
    // For apps that use the client library; the server's processes run on Linux.
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    // The client library depends on nothing, so an app that uses it resolves none of the packages below.
    products: [
        .library(name: "LatchkeyAuth", targets: ["LatchkeyAuth"]),
        .library(name: "LatchkeyAuthTesting", targets: ["LatchkeyAuthTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
        .package(
            url: "https://github.com/apple/swift-configuration.git", exact: "1.4.0", traits: ["Logging"]),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", exact: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
        // The default traits add FullFoundation, which makes every binary four times as large.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1",
            traits: ["ConfigurationSupport"]),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess.git", exact: "1.0.2"),
        // For tests: no process links these, and a release does not compile them.
        .package(url: "https://github.com/jpsim/Yams.git", exact: "6.2.2"),
        .package(url: "https://github.com/vapor/jwt-kit.git", exact: "5.7.1"),
    ],
    targets: [
        // Shared
        system("COpenSSL", apt: "libssl-dev"),
        system("CHiredis", apt: "libhiredis-dev"),
        system("CYAML", apt: "libyaml-dev"),
        system("CCurl", apt: "libcurl4-openssl-dev"),
        system("CArgon2", apt: "libargon2-dev"),
        system("CCrypt", apt: "libcrypt-dev"),
        system("CPostgreSQL", apt: "libpq-dev"),
        system("CMalloc", apt: "libc6-dev"),
        system("CProcess", apt: "libc6-dev"),
        shared("CryptoPrimitives", ["COpenSSL"]),
        shared("PrivateFiles", ["CProcess", "CryptoPrimitives"]),
        shared("Release"),
        shared("SettingNames"),
        shared("TLSPairs", ["COpenSSL", "CryptoPrimitives"]),
        shared("StrictJSON"),
        shared("AuthAPI"),
        // The client library for apps, and what its users test with.
        .target(
            name: "LatchkeyAuth", path: "Shared/LatchkeyAuth",
            exclude: privacyManifest.isCopied ? [] : [privacyManifest.file],
            resources: privacyManifest.isCopied ? [.copy(privacyManifest.file)] : [], swiftSettings: strict),
        shared("LatchkeyAuthTesting", ["LatchkeyAuth"]),
        shared("CallDeadlines"),
        shared("InternalAPI", ["AccessTokens", "AuthAPI", "CryptoPrimitives", "StrictJSON", "WebAuthn"]),
        shared("EmailAddresses"),
        shared("PhoneNumbers"),
        shared(
            "Passwords",
            ["CArgon2", "CCrypt", "COpenSSL", "CommonPasswordList", "CryptoPrimitives", "Policies", nioPosix]),
        // Data only: no count of product lines includes it.
        shared("CommonPasswordList", exclude: ["LICENSE.zxcvbn", "generate.py"]),
        shared("Policies", ["AuthAPI", "CYAML", "PhoneNumbers", "SettingNames"]),
        shared("AccessTokens", ["COpenSSL", "CryptoPrimitives", "StrictJSON"]),
        shared("WebAuthn", ["AccessTokens", "CryptoPrimitives", "StrictJSON"]),
        shared("ServerNames", [nioCore, nioPosix]),
        // The spans of traces, which ServiceCalls exports.
        shared("Spans", ["StrictJSON", coreMetrics, tracing]),
        shared(
            "RedisClient",
            [
                "CHiredis", "CryptoPrimitives", "ServerNames", "Spans", collections, nioCore, nioPosix, nioSSL, logging,
                coreMetrics,
                lifecycle, tracing,
            ]),
        shared(
            "Storage",
            ["CallDeadlines", "CryptoPrimitives", "Release", "Spans", logging, coreMetrics, lifecycle, tracing]),
        shared(
            "SQLiteStore",
            [
                "CallDeadlines", "CryptoPrimitives", "PrivateFiles", "Release", "ServiceKit", "Storage", grdb, sqlite,
                logging,
                coreMetrics,
                lifecycle,
            ]),
        shared(
            "PostgreSQL",
            [
                "CPostgreSQL", "CallDeadlines", "CryptoPrimitives", "Policies", "Release", "ServerNames", "ServiceKit",
                "Storage", nioCore, nioPosix,
                configuration, logging, coreMetrics, lifecycle,
            ]),
        shared(
            "Delivery",
            [
                "CCurl", "CryptoPrimitives", "Curl", "EmailAddresses", "InternalAPI", "OutgoingConnections",
                "ServiceCalls", "ServiceKit", "StrictJSON",
                nioCore, nioPosix, coreMetrics,
            ]),
        shared(
            "ServiceKit",
            [
                "CMalloc", "CallDeadlines", "CryptoPrimitives", "Policies", "PrivateFiles", "RedisClient", "Release",
                "ServerNames", "SettingNames", "Spans",
                configuration, coreMetrics, lifecycle, logging, nioCore, nioHTTP1, nioPosix, tracing, unixSignals,
            ]),
        shared("Curl", ["CCurl"]),
        shared(
            "CopyTargets",
            [
                "CCurl", "CryptoPrimitives", "Curl", "OutgoingConnections", "PrivateFiles", "ServiceKit", configuration,
                nioPosix,
            ]),
        shared(
            "ContinuousCopy", ["CopyTargets", "CryptoPrimitives", "PrivateFiles", "SQLiteStore", "Storage", logging]),
        shared("OutgoingConnections", ["PrivateFiles", "ServiceKit", logging, nioCore, nioPosix, nioSSL]),
        shared(
            "ServiceCalls",
            [
                "AccessTokens", "CallDeadlines", "CryptoPrimitives", "InternalAPI", "OutgoingConnections", "Policies",
                "ServerNames", "ServiceKit", "Spans", asyncHTTPClient, coreMetrics, lifecycle, logging, nioCore,
                nioHTTP1, nioPosix,
                nioSSL, nioTLS, tracing,
            ]),
        shared(
            "UserEvents",
            [
                "AuthAPI", "CryptoPrimitives", "InternalAPI", "OutgoingConnections", "Policies", "ServiceCalls",
                "ServiceKit", "Storage", "StrictJSON", asyncHTTPClient, coreMetrics, lifecycle, logging,
            ]),
        shared(
            "ServiceHTTP",
            [
                "AccessTokens", "AuthAPI", "CallDeadlines", "InternalAPI", "PrivateFiles", "ServiceCalls", "ServiceKit",
                "StrictJSON", "TLSPairs", coreMetrics, httpTypes, hummingbird, hummingbirdTLS, lifecycle, logging,
                nioCore, nioSSL, tracing,
            ]),
    ]
        // Services
        + [
            // The gateway's HTTP server and proxy: knows no token and no answer of ours.
            .target(
                name: "EdgeHTTP",
                dependencies: [
                    "CallDeadlines", "CryptoPrimitives", "OutgoingConnections", "Policies", "ServerNames", "ServiceKit",
                    "Spans", "TLSPairs", collections,
                    coreMetrics, lifecycle, logging, nioCore, nioHPACK, nioHTTP2, nioPosix, nioSSL, nioTLS, tracing,
                ],
                path: "Services/Gateway/EdgeHTTP", swiftSettings: strict)
        ]
        + service(
            "gateway", "Gateway",
            [
                "AccessTokens", "AuthAPI", "CryptoPrimitives", "EdgeHTTP", "InternalAPI", "OutgoingConnections",
                "Policies", "PrivateFiles",
                "RedisClient", "ServiceCalls", "ServiceKit", "Spans", "StrictJSON", "TLSPairs", "WebAuthn", coreMetrics,
                lifecycle, logging, nioCore, nioPosix, tracing,
            ], resources: [.embedInCode("Shipped")])
        + service(
            "otp-service", "OTP",
            [
                "CallDeadlines", "CryptoPrimitives", "Curl", "Delivery", "EmailAddresses", "InternalAPI",
                "OutgoingConnections", "PhoneNumbers", "Policies", "RedisClient", "Release",
                "ServiceCalls", "ServiceHTTP", "ServiceKit", asyncHTTPClient, configuration, coreMetrics, hummingbird,
                lifecycle, logging, tracing,
            ], resources: [.embedInCode("Scripts/Lua")])
        + service(
            "token-service", "Token",
            [
                "AccessTokens", "AuthAPI", "CallDeadlines", "CryptoPrimitives", "InternalAPI", "Policies",
                "RedisClient", "ServiceCalls", "ServiceHTTP", "ServiceKit", "Storage", "StrictJSON", "UserEvents",
                asyncHTTPClient, hummingbird, lifecycle, logging, coreMetrics,
            ],
            stores: [
                "AccessTokens", "CryptoPrimitives", "InternalAPI", "Policies", "PrivateFiles", "UserEvents", logging,
            ])
        + service(
            "user-service", "User",
            [
                "AccessTokens", "AuthAPI", "CallDeadlines", "CryptoPrimitives", "InternalAPI", "OutgoingConnections",
                "PhoneNumbers", "EmailAddresses", "Passwords", "Policies", "PrivateFiles", "RedisClient",
                "ServiceCalls", "ServiceHTTP",
                "ServiceKit", "Storage", "StrictJSON", "UserEvents", "WebAuthn", asyncHTTPClient, httpTypes,
                hummingbird,
                lifecycle, logging, coreMetrics,
            ], resources: [.embedInCode("Guessing/Lua"), .embedInCode("WebSignIn/Lua")],
            stores: [
                "AuthAPI", "CryptoPrimitives", "InternalAPI", "Policies", "PrivateFiles", "StrictJSON", "UserEvents",
                "WebAuthn", logging,
            ])
        + service(
            "inbox", "Inbox",
            [
                "CryptoPrimitives", "InternalAPI", "Policies", "ServiceCalls", "ServiceHTTP", "ServiceKit", httpTypes,
                hummingbird, nioCore,
            ])
        + service(
            "console", "Console",
            [
                "AuthAPI", "CryptoPrimitives", "OutgoingConnections", "Policies", "ServiceCalls", "ServiceHTTP",
                "ServiceKit", "StrictJSON", httpTypes, hummingbird, lifecycle, logging, nioCore,
            ])
        + service("sample-api", "SampleAPI", ["ServiceHTTP", "ServiceKit", httpTypes, hummingbird, nioCore])
        + service(
            "latchkeyctl", "Control",
            [
                "AccessTokens", "AuthAPI", "ContinuousCopy", "CopyTargets", "CryptoPrimitives", "GatewayCore",
                "InternalAPI", "OTPCore",
                "OutgoingConnections", "Passwords", "Policies", "PrivateFiles", "RedisClient", "Release",
                "ServiceCalls", "ServiceHTTP", "ServiceKit", "SettingNames",
                "PostgreSQL", "SQLiteStore", "Storage", "SupervisorCore", "TLSPairs", "TokenCore", "TokenTables",
                "UserCore", "UserEvents", "UserTables", argumentParser, asyncHTTPClient, configuration,
                logging, nioCore, nioHTTP1, nioPosix,
            ])
        // Providers for development and tests: in no release, so in no image.
        + service(
            "latchkey-fakes", "Fakes",
            [
                "AccessTokens", "CryptoPrimitives", "Delivery", "InternalAPI", "OutgoingConnections", "ServiceCalls",
                "ServiceHTTP", "ServiceKit", "StrictJSON",
                asyncHTTPClient, configuration, httpTypes, hummingbird, lifecycle, logging, nioCore, nioPosix, nioSSL,
                subprocess,
            ])
        + service(
            "supervisor", "Supervisor",
            ["CryptoPrimitives", "PrivateFiles", "RedisClient", "Release", "SettingNames", "TLSPairs"])
        // All of them in one file
        + [
            .executableTarget(
                name: "latchkey",
                dependencies: [
                    "ConsoleCore", "ControlCore", "GatewayCore", "InboxCore", "OTPCore", "SampleAPICore", "ServiceKit",
                    "SupervisorCore",
                    "TokenCore", "TokenTables", "UserCore", "UserTables",
                ],
                path: "Services/Latchkey/Main", swiftSettings: strict)
        ]
        // Tests
        + [
            tests("House", []),
            tests("CryptoPrimitives", ["CryptoPrimitives"]),
            tests("StrictJSON", ["StrictJSON"]),
            tests("LatchkeyAuth", ["LatchkeyAuth", "LatchkeyAuthTesting"]),
            // The client library under the conformance suite in Tests/Clients.
            .executableTarget(
                name: "latchkey-auth-driver", dependencies: ["LatchkeyAuth", "LatchkeyAuthTesting"],
                path: "Tests/Clients/drivers/swift", swiftSettings: strict),
            tests("AccessTokens", ["AccessTokens", "CryptoPrimitives", "StrictJSON"]),
            tests("WebAuthn", ["AccessTokens", "CryptoPrimitives", "StrictJSON", "TestSupport", "WebAuthn"]),
            tests(
                "CrossCheck",
                ["AccessTokens", "ControlCore", "CryptoPrimitives", "FakesCore", "StrictJSON", jwtKit, subprocess],
                scripts: ["Peers"]),
            tests("InternalAPI", ["AccessTokens", "AuthAPI", "CryptoPrimitives", "InternalAPI", "StrictJSON"]),
            tests("EmailAddresses", ["EmailAddresses"]),
            tests("TLSPairs", ["TLSPairs", "TestSupport"]),
            tests("PhoneNumbers", ["PhoneNumbers"]),
            tests("Passwords", ["CArgon2", "CryptoPrimitives", "Passwords", "Policies"]),
            tests("Policies", ["AuthAPI", "Policies", "PhoneNumbers"]),
            tests("ServerNames", ["ServerNames", "TestSupport", nioCore, nioPosix]),
            tests("Spans", ["Spans", "StrictJSON", tracing]),
            tests(
                "RedisClient", ["RedisClient", "ServerNames", "TestSupport", nioEmbedded, nioCore, nioPosix, logging]),
            tests(
                "SQLiteStore",
                [
                    "CallDeadlines", "PrivateFiles", "Release", "SQLiteStore", "Storage", "TestSupport", "TokenTables",
                    grdb, sqlite, logging,
                ]),
            tests(
                "ContinuousCopy",
                [
                    "ContinuousCopy", "CopyTargets", "CryptoPrimitives", "PrivateFiles", "SQLiteStore", "Storage",
                    "TestSupport", "TokenTables", "UserTables", grdb, logging,
                ]),
            tests(
                "Storage", ["PostgreSQL", "Release", "SQLiteStore", "Storage", "TestSupport", "TokenTables", logging]),
            tests(
                "ServiceKit",
                [
                    "CallDeadlines", "CryptoPrimitives", "InternalAPI", "OutgoingConnections", "Policies",
                    "PrivateFiles", "RedisClient", "ServerNames", "ServiceCalls", "ServiceHTTP", "ServiceKit",
                    "SettingNames",
                    "Spans", "StrictJSON", "TestSupport", asyncHTTPClient, configuration, coreMetrics, httpTypes,
                    hummingbird, hummingbirdTesting, lifecycle, logging, nioCore, nioHTTP1, nioPosix, tracing,
                ]),
            tests(
                "UserEvents",
                [
                    "AuthAPI", "OutgoingConnections", "PostgreSQL", "SQLiteStore", "ServiceCalls", "ServiceKit",
                    "Storage",
                    "TestSupport", "UserEvents", asyncHTTPClient, logging, nioCore, nioHTTP1, nioPosix,
                ]),
            tests(
                "Delivery",
                [
                    "Delivery", "FakesCore", "InternalAPI", "OutgoingConnections", "ServiceCalls", "ServiceKit",
                    "TestSupport", asyncHTTPClient, httpTypes, hummingbird, hummingbirdTesting, lifecycle, logging,
                    subprocess,
                ]),
            tests(
                "Gateway",
                [
                    "GatewayCore", "AccessTokens", "AuthAPI", "CryptoPrimitives", "EdgeHTTP", "InternalAPI",
                    "OutgoingConnections", "Policies", "RedisClient", "ServerNames", "ServiceCalls", "ServiceKit",
                    "Spans", "StrictJSON", "TLSPairs", "TestSupport", "WebAuthn",
                    configuration, coreMetrics, logging, nioCore, nioEmbedded, nioHPACK, nioPosix, nioSSL, nioTLS,
                    tracing,
                ]),
            tests(
                "OTP",
                [
                    "CryptoPrimitives", "Delivery", "EmailAddresses", "InternalAPI", "OTPCore", "OutgoingConnections",
                    "Policies", "RedisClient",
                    "ServiceCalls",
                    "ServiceHTTP", "ServiceKit",
                    "TestSupport", configuration, httpTypes, hummingbird, hummingbirdTesting, logging, nioCore,
                ]),
            tests(
                "PostgreSQL",
                [
                    "CallDeadlines", "CryptoPrimitives", "PostgreSQL", "Release", "Storage", "TestSupport",
                    "TokenTables",
                    "UserTables", logging,
                ]),
            tests(
                "Token",
                [
                    "TokenCore", "TokenTables", "AccessTokens", "AuthAPI", "CryptoPrimitives",
                    "InternalAPI",
                    "Policies",
                    "PostgreSQL", "RedisClient", "SQLiteStore", "ServiceCalls", "ServiceHTTP", "ServiceKit", "Storage",
                    "StrictJSON", "TestSupport", "UserEvents", grdb, httpTypes, hummingbird,
                    hummingbirdTesting, logging, nioCore,
                ]),
            tests(
                "User",
                [
                    "AccessTokens", "AuthAPI", "CryptoPrimitives", "EmailAddresses", "FakesCore", "InternalAPI",
                    "OutgoingConnections", "Passwords", "Policies",
                    "RedisClient",
                    "ServiceCalls", "ServiceHTTP", "ServiceKit",
                    "PostgreSQL", "SQLiteStore", "Storage", "StrictJSON", "TestSupport",
                    "UserCore", "UserEvents", "UserTables", "WebAuthn", configuration, grdb, httpTypes, hummingbird,
                    hummingbirdTesting, logging, nioCore,
                ]),
            tests("CopyTargets", ["CopyTargets", "ServiceKit", "TestSupport", configuration], scripts: ["Judges"]),
            tests("Fakes", ["FakesCore"]),
            tests(
                "Console",
                ["AuthAPI", "ConsoleCore", "ServiceCalls", httpTypes, hummingbird, hummingbirdTesting, nioCore]),
            tests("SampleAPI", ["SampleAPICore", httpTypes, hummingbird, hummingbirdTesting, nioCore]),
            tests(
                "Control",
                [
                    "AccessTokens", "ControlCore", "CryptoPrimitives", "InternalAPI", "OutgoingConnections", "Policies",
                    "PostgreSQL",
                    "PrivateFiles", "RedisClient", "Release", "SQLiteStore", "ServiceCalls", "Storage", "TLSPairs",
                    "TestSupport", "TokenCore",
                    "TokenTables", "UserTables", argumentParser, grdb, hummingbird,
                    hummingbirdTesting, logging,
                ]),
            tests(
                "Inbox",
                [
                    "CryptoPrimitives", "InboxCore", "InternalAPI", "ServiceCalls", "ServiceKit", "TestSupport",
                    asyncHTTPClient,
                    httpTypes, hummingbird, hummingbirdTesting, nioCore, nioHTTP1, subprocess,
                ]),
            tests(
                "Supervisor",
                [
                    "CryptoPrimitives", "RedisClient", "ServiceKit", "SettingNames", "SupervisorCore", "TestSupport",
                    logging, yams,
                ]),
            tests(
                "Integration",
                [
                    "TestSupport", "AccessTokens", "AuthAPI", "BenchCore", "ClientExample", "CryptoPrimitives",
                    "CallDeadlines", "InternalAPI", "LatchkeyAuth", "LatchkeyAuthTesting", "Release",
                    "OutgoingConnections", "ServiceCalls", "ServiceKit", "StrictJSON", asyncHTTPClient, nioCore,
                    nioHTTP1, subprocess, yams,
                ]),
            // What an app would write, as it would write it: with Foundation, and without this package's settings.
            .target(name: "ClientExample", path: "Tests/Examples/Swift"),
            // Clients that documents print, and what stands in for the Keychain.
            .target(name: "KeychainStandIn", path: "Tests/Compat/KeychainStandIn"),
            .target(name: "ClientReport", path: "Tests/Compat/ClientReport"),
            printedClient("compat-howru", "howru"),
            printedClient("compat-aarokya", "aarokya"),
            printedClient("compat-voltyks", "voltyks"),
            printedClient("compat-gremlin", "gremlin"),
            tests(
                "Bench",
                [
                    "AccessTokens", "BenchCore", "CryptoPrimitives", "Delivery", "InternalAPI", "PhoneNumbers",
                    "Policies", "ServiceCalls", "TestSupport", "TokenCore", "TokenTables", logging,
                ]),
            .target(
                name: "BenchCore",
                dependencies: [
                    "AccessTokens", "AuthAPI", "CryptoPrimitives", "Delivery", "GatewayCore", "InternalAPI", "Policies",
                    "PostgreSQL", "RedisClient", "SQLiteStore", "ServiceCalls", "ServiceKit", "Storage", "StrictJSON",
                    "TestSupport", "TokenCore", "TokenTables", grdb,
                    logging, nioCore, nioEmbedded, nioHTTP1, nioPosix, nioSSL, nioTLS, subprocess,
                ],
                path: "Tests/Bench/Core", swiftSettings: strict),
            .executableTarget(
                name: "latchkey-bench", dependencies: ["BenchCore", "ServiceKit"],
                path: "Tests/Bench/Main", swiftSettings: strict),
            tests(
                "Fault",
                [
                    "AuthAPI", "BenchCore", "CryptoPrimitives", "Delivery", "InternalAPI", "OTPCore", "Policies",
                    "RedisClient", "SQLiteStore", "ServiceCalls", "ServiceKit", "Storage", "TestSupport", coreMetrics,
                    grdb, sqlite, logging,
                    nioCore, nioPosix,
                ]),
            .target(
                name: "TestSupport",
                dependencies: [
                    "AccessTokens", "AuthAPI", "CallDeadlines", "CryptoPrimitives", "InternalAPI", "Policies",
                    "PostgreSQL",
                    "RedisClient",
                    "ServiceCalls", "ServiceKit", "Storage", "StrictJSON", asyncHTTPClient, grdb, logging, nioCore,
                    nioHPACK, nioHTTP1, nioPosix, nioSSL, subprocess,
                ],
                path: "Tests/Support", swiftSettings: strict),
        ]
)

// `deploy/test --filter` builds the test targets of some suites only.
if let suites = Context.environment["LATCHKEY_TEST_SUITES"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !suites.contains($0.name) }
}
