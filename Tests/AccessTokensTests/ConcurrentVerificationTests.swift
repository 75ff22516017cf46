import AccessTokens
import Testing

@Suite struct ConcurrentVerificationTests {
    @Test(.timeLimit(.minutes(5)), arguments: SignatureAlgorithm.allCases)
    func `many threads judge with one key at once`(algorithm: SignatureAlgorithm) async throws {
        let mint = try Mint.shared.get()
        let good = try mint.token(by: algorithm)
        let parts = good.split(separator: ".")
        let bad = "\(parts[0]).\(parts[1]).\(try mint.token(payload: "{}", by: algorithm).split(separator: ".")[2])"
        let wrong = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<32 {
                group.addTask { @concurrent in
                    (0..<50).count { _ in mint.rejection(good) != nil || mint.rejection(bad) != .badSignature }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test(.timeLimit(.minutes(5))) func `many threads sign with one key at once`() async throws {
        let mint = try Mint.shared.get()
        let rejections = await withTaskGroup(of: [TokenRejection?].self) { group in
            for algorithm in SignatureAlgorithm.allCases {
                for _ in 0..<8 {
                    group.addTask { @concurrent in
                        (0..<5).map { _ in
                            do { return mint.rejection(try mint.token(by: algorithm)) } catch { return .malformed }
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(rejections.count == 160)
        #expect(rejections.allSatisfy { $0 == nil })
    }
}
