import CryptoPrimitives
import EmailAddresses
import InternalAPI
import PhoneNumbers
import RedisClient
import StrictJSON

/// Keeps the metadata that a client sends with a request for a code until the code is right, for new users only: anybody can send some
/// for anybody's number or address, and the last one counts.
///
/// Redis has them sealed under `login:1:d:<recipient>`, for a day.
struct FirstMetadata: Sendable {
    /// The life of a registration's link.
    static let lifetimeSeconds: Int64 = 86_400

    private struct Kept: Codable {
        let own: String
        /// When they were sent; a user who was created earlier gets none of them.
        let at: Int64
    }

    let redis: RedisClient
    let tags: GuessTags
    /// Whether Redis has room for them. The remaining memory is reserved for revocations.
    let hasRoom: @Sendable () -> Bool
    let seal: StorageSeal
    let queries: any UserQueries
    let update: UpdateProfile
    let defaultRegion: String?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - lock: it counts wrong codes, in the Redis that has the metadata too.
    ///   - ring: `user_storage_key`.
    init(
        _ lock: ProofLock, ring: KeyRing, _ queries: any UserQueries, _ update: UpdateProfile, defaultRegion: String?
    ) {
        (redis, tags, hasRoom) = (lock.redis, lock.tags, lock.hasRoom)
        seal = StorageSeal(ring: ring, info: "latchkey user storage first metadata")
        (self.queries, self.update, self.defaultRegion, now) = (queries, update, defaultRegion, update.now)
    }

    /// Keeps metadata for a recipient. What is no phone number and no email address is left to the request for the code.
    ///
    /// - Throws: `InvalidInput` for what `own` may not be; `GuessLimitsFailure`.
    func keep(_ request: FirstMetadataRequest) async throws {
        let patch = try MetadataChange(request.own, of: .own)
        _ = try patch.applied(to: UserMetadata())
        guard let key = key(of: request.recipient) else { return }
        guard hasRoom() else { throw GuessLimitsFailure.full }
        let kept = try StrictJSON.encode(Kept(own: request.own, at: now()))
        let sealed = try seal.seal(kept, context: Array(key.utf8))
        _ = try await send(["SET", .text(key), .bytes(sealed), "EX", .integer(Self.lifetimeSeconds)])
    }

    /// Gives the metadata to the user who has just signed in for the first time. A repeat finds none any more.
    ///
    /// - Throws: `GuessLimitsFailure`, `StorageError`, `Unconfirmed`.
    func adopt(_ caller: SignedInUser, requestID: String?) async throws -> OperationOutcome<Done, BearerRefusal> {
        guard let user = try await queries.bearer(caller.id) else { return .refused(.invalidToken) }
        for key in [user.phone, user.email].compactMap({ $0.flatMap(key) }) {
            guard case .string(let sealed) = try await send(["GET", .text(key)]) else { continue }
            if let kept = open(sealed, key), kept.at <= user.createdAt {
                _ = try await update(caller, UpdateUserRequest(ownPatch: kept.own), requestID: requestID)
            }
            _ = try await send(["DEL", .text(key)])
        }
        return .answer(Done())
    }

    private func open(_ sealed: [UInt8], _ key: String) -> Kept? {
        guard let opened = seal.open(sealed, context: Array(key.utf8)) else { return nil }
        do { return try StrictJSON.decode(Kept.self, from: opened, limits: .own) } catch { return nil }
    }

    /// - Parameter typed: a phone number or an email address.
    private func key(of typed: String) -> String? {
        do throws(EmailAddressProblem) { return tags.metadataKey(try EmailAddress(parsing: typed).text) } catch {}
        do throws(PhoneNumberProblem) {
            return tags.metadataKey(try PhoneNumber(parsing: typed, region: defaultRegion).e164)
        } catch {
            return nil
        }
    }

    private func send(_ command: [RedisArgument]) async throws(GuessLimitsFailure) -> RedisValue {
        do throws(RedisError) { return try await redis.send(command) } catch {
            throw GuessLimitsFailure("Redis: \(error.code.rawValue): \(error.message)")
        }
    }
}
