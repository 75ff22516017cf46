import CryptoPrimitives
import InternalAPI
import Logging
import Passwords
import Policies
import ServiceCalls
import ServiceHTTP
import ServiceKit
import Storage

/// The service's use cases, built once from their dependencies. Tests build the same ones.
struct UserWiring: Sendable {
    let users: UserRoutes
    let accounts: AccountRoutes
    let support: SupportRoutes
    let outbox: OutboxRoutes
    let identities: IdentityRoutes
    let passkeys: PasskeyRoutes
    /// `nil` if the policy does not turn the API on.
    let admin: AdminRoutes?
    let clients: ClientRoutes
    let secondFactors: SecondFactorRoutes
    /// Counts for the operator's charts.
    let counter: HourlyCounter

    /// - Parameters:
    ///   - check: compares passwords; `nil` if the policy has none.
    ///   - proofLock: counts the proofs of signed-in users.
    ///   - providers: Apple and the OpenID Connect providers of the policy, by name, and the services of its phone tokens.
    ///   - web: sign-ins in a browser with these providers.
    ///   - previous: the exchange with the server from which an app moves.
    ///   - clientFailures: counts the wrong proofs of clients.
    ///   - now: Unix time in seconds.
    init(
        policy: Policy, storage: UserStorage, keys: UserKeys, bearers: BearerAuthentication, courier: OutboxCourier,
        check: CheckPassword?, proofLock: ProofLock, signInTimes: SignInTimes, providers: IdentityProviders,
        web: WebSignIn, previous: any ProviderExchange, refusedTokens: RefusedTokenAudit,
        passkeys rules: PasskeyRules? = nil, clientFailures: FailureLimit, state: ProcessState = ProcessState(),
        now: @escaping @Sendable () -> Int64, logger: Logger
    ) {
        counter = HourlyCounter(rows: storage.counts, totals: UserCounters.ofCharts, now: now, logger: logger)
        let (store, queries, prefix) = (storage.users, storage.queries, policy.userIDPrefix)
        let attributes = AttributeRules(policy)
        let grants = SessionGrants(userIDPrefix: prefix, attributes: attributes, keys: keys.grants)
        let act = AccountAct(store: store, courier: courier, now: now)
        let parts = check.map { AccountParts(policy: policy, keys: keys, act: act, check: $0) }
        let givenUp = GivenUpIdentities(tags: CallTags(ring: keys.storage))
        let notices = policy.sendsMail ? AccountNotices(seal: courier.seal) : nil
        let ofChanges = AccountNotices.ofChanges(policy, courier.seal)
        let move = IdentityMove(
            userIDPrefix: prefix, identities: IdentitySeal(ring: keys.storage), outbox: courier.seal,
            attributes: attributes)
        let recent = RecentAuthentication(tokenService: courier.tokenService, now: now)
        let delete = DeleteAccount(
            store: store, courier: courier, userIDPrefix: prefix, graceDays: policy.deletion.graceDays,
            notices: notices, numbers: policy.phoneTokens.isEmpty ? nil : givenUp, now: now)
        // Only the API for administrators needs one; elsewhere the role belongs to the app alone.
        let deleteOwn = policy.admin.api ? delete.through(LastAdministratorStore(store: store)) : delete
        let phoneChanges = PhoneChanges(
            store: store, seal: PendingSeal(ring: keys.storage),
            delaySeconds: policy.identityChange.supportDelayHours * 3_600, userIDPrefix: prefix,
            defaultRegion: policy.defaultRegion, notices: ofChanges, now: now)
        let recycled = policy.recycledNumbers.idleMonths.map {
            RecycledNumbers(
                idleMonths: $0, store: store, tokenService: courier.tokenService, ways: SignInWays(policy), move: move,
                notices: ofChanges, delete: delete)
        }
        let prove = ProveIdentityToken(
            providers: providers.byName, tags: CallTags(ring: keys.storage), proofKeys: keys.proofs,
            audit: refusedTokens, exchangesCodes: courier.apple != nil, now: now)
        let provePhone = ProvePhoneToken(
            providers: providers.ofPhones, countries: policy.countries, store: store, otpService: courier.otpService,
            tags: CallTags(ring: keys.storage), proofKeys: keys.proofs, audit: refusedTokens, now: now)
        let factorSeal = SecondFactorSeal(ring: keys.storage)
        let tickets = SecondFactorTicketSeal(ring: keys.storage)
        let checkFactor = SecondFactorCheck(act: act, seal: factorSeal, notices: ofChanges)
        let secondFactor = SecondFactorRule(policy.mfa)
        let provePasskey = rules.map {
            ProvePasskey(
                rules: $0, store: store, tags: CallTags(ring: keys.storage), proofKeys: keys.proofs,
                audit: refusedTokens, now: now)
        }
        let reauthenticate = Reauthenticate(
            act: act, lock: proofLock,
            codes: ReauthenticationCodes(
                act: act, otpService: courier.otpService, attestationKeys: keys.attestations, userIDPrefix: prefix),
            hasher: check?.hasher,
            tokens: OwnIdentityTokens(
                prove: prove, redeem: web.providers.isEmpty ? nil : RedeemSignInCode(web: web, prove: prove),
                provePhone: policy.phoneTokens.isEmpty ? nil : provePhone, store: store, givenUp: givenUp,
                withinSeconds: policy.reauthentication.withinSeconds),
            passkeys: provePasskey.map { StepUpByPasskey(prove: $0, notices: ofChanges) },
            secondFactor: secondFactor == nil ? nil : checkFactor, statementKeys: keys.grants, userIDPrefix: prefix)
        let export = ExportUser(
            store: store,
            read: ReadExport(
                queries: queries, tokenService: courier.tokenService, otpService: courier.otpService,
                userIDPrefix: prefix, now: now),
            recent: recent, withinSeconds: policy.reauthentication.withinSeconds,
            limit: ExportLimit(redis: proofLock.redis, tags: proofLock.tags, hasRoom: proofLock.hasRoom),
            seal: ExportSeal(ring: keys.storage), logger: logger)
        let administrators = AdministratorCheck(store: store, queries: queries, now: now)
        let watch = SignInWatch(policy, tags: OriginTags(ring: keys.storage), notices: ofChanges)
        let updateProfile = UpdateProfile(
            store: store, courier: courier, move: move, userIDPrefix: prefix, attributes: attributes, now: now)
        users = UserRoutes(
            bearers: bearers,
            resolve: ResolveAttestation(
                store: store,
                rule: SignInRule(
                    onScheduledDeletion: policy.deletion.onSignIn, newUsers: policy.accounts.newUsers,
                    secondFactor: secondFactor),
                grants: grants, attestationKeys: keys.attestations, proofKeys: keys.proofs,
                restores: RestoreSeal(ring: keys.storage), courier: courier, givenUp: givenUp,
                phoneChanges: phoneChanges, recycled: recycled, notices: ofChanges, watch: watch,
                tickets: secondFactor == nil ? nil : tickets, now: now),
            readProfile: ReadProfile(
                queries: queries, userIDPrefix: prefix, attributes: attributes, statesPhone: rules != nil),
            updateProfile: updateProfile,
            firstMetadata: FirstMetadata(
                proofLock, ring: keys.storage, queries, updateProfile, defaultRegion: policy.defaultRegion),
            deleteOwnAccount: DeleteOwnAccount(
                act: act, hasPasswords: check != nil, policy: policy.reauthentication,
                recentAuthentication: recent, delete: deleteOwn),
            deleteByProof: DeleteByProof(
                store: store, delete: delete, attestationKeys: keys.attestations, secondFactor: secondFactor, now: now),
            reauthenticate: reauthenticate,
            list: ListUsersAsAdmin(
                check: administrators, userIDPrefix: prefix, attributes: attributes,
                factors: secondFactor.map { (recent, $0) }),
            export: export, noteOtherDevice: NoteOtherDevice(store: store, watch: watch, now: now))
        accounts = AccountRoutes(
            bearers: bearers,
            passwords: parts.map {
                PasswordUseCases(
                    $0, grants: grants, times: signInTimes, watch: watch, secondFactor: secondFactor,
                    delete: deleteOwn)
            },
            welcome: WelcomePhone(queries: queries, policy: policy, now: now),
            invite: Invite(
                act: act, notices: parts?.notices, tags: CallTags(ring: keys.storage),
                defaultRegion: policy.defaultRegion),
            confirmAddress: ConfirmAddress(act: act, move: move, tags: CallTags(ring: keys.storage)),
            reportNotMe: ReportNotMe(act: act, tags: CallTags(ring: keys.storage), userIDPrefix: prefix))
        support = SupportRoutes(
            lookUp: LookUpUsers(
                store: store, queries: queries, tokenService: courier.tokenService, otpService: courier.otpService,
                userIDPrefix: prefix, attributes: attributes, defaultRegion: policy.defaultRegion, now: now,
                logger: logger),
            importUsers: ImportUsers(
                store: store,
                hashMemoryKiBMax: check?.hasher.foreignMemoryKiBMax ?? ForeignHash.memoryKiBMax,
                ids: ImportedIDs(ring: keys.storage), userIDPrefix: prefix, defaultRegion: policy.defaultRegion,
                providers: Set(policy.identityProviders.map(\.name)), now: now),
            renumber: RenumberUsers(store: store, queries: queries, userIDPrefix: prefix, now: now),
            resubject: ResubjectIdentities(
                store: store, userIDPrefix: prefix, providers: Set(policy.identityProviders.map(\.name)), now: now),
            change: ChangeUser(
                store: store, courier: courier, move: move, userIDPrefix: prefix, attributes: attributes,
                defaultRegion: policy.defaultRegion, notices: notices, now: now),
            phoneChanges: phoneChanges, delete: delete,
            restore: RestoreAccount(store: store, userIDPrefix: prefix, now: now), export: export,
            listInactive: ListInactive(
                accounts: InactiveAccounts(policy, storage, courier), store: store, userIDPrefix: prefix, now: now),
            listRemoved: ListRemoved(queries: queries, userIDPrefix: prefix),
            listDecisions: ListDecisions(queries: queries, userIDPrefix: prefix),
            listAudit: ListAudit(store: store, queries: queries, userIDPrefix: prefix, now: now),
            wholeAudit: ReadWholeAudit(
                store: store, queries: queries, tokenService: courier.tokenService, userIDPrefix: prefix, now: now),
            reviews: ManageAccountReviews(store: store, queries: queries, userIDPrefix: prefix, now: now))
        identities = IdentityRoutes(
            prove: prove, provePhone: provePhone,
            previous: PreviousSessions(
                policy: policy, exchange: previous, store: store, grants: grants, secondFactor: secondFactor,
                refusals: clientFailures.separate, now: now),
            noteApple: NoteAppleEvent(
                provider: providers.byName[IdentityProviderPolicy.appleName], store: store, delete: delete,
                tags: CallTags(ring: keys.storage), audit: refusedTokens, now: now),
            web: web, bearers: bearers,
            own: ChangeOwnIdentities(
                act: act, recent: recent, withinSeconds: policy.reauthentication.withinSeconds,
                ways: SignInWays(policy),
                ends: policy.identityChange.ends, move: move, takeover: AccountTakeover(userIDPrefix: prefix),
                notices: ofChanges, attributes: attributes, merges: MergeSeal(ring: keys.storage),
                pending: PendingSeal(ring: keys.storage), delaySeconds: phoneChanges.delaySeconds,
                tags: CallTags(ring: keys.storage), givenUp: givenUp,
                attestationKeys: keys.attestations,
                proofKeys: keys.proofs, accounts: parts, recyclesNumbers: policy.recycledNumbers.idleMonths != nil),
            mergeProofs: MergeProofs(reauthenticate: reauthenticate, accounts: parts))
        let (own, audit) = (identities.own, refusedTokens)
        passkeys = PasskeyRoutes(
            bearers: bearers,
            ceremonies: rules.flatMap { rules in
                provePasskey.map {
                    PasskeyRoutes.Ceremonies(
                        begin: BeginPasskey(rules: rules, own: own), prove: $0,
                        add: AddPasskey(rules: rules, own: own, audit: audit))
                }
            }, list: OwnPasskeyList(own: own),
            manage: ManagePasskeys(
                store: store, queries: queries, courier: courier, move: move, notices: ofChanges, now: now))
        admin =
            policy.admin.api || policy.speaksSupabase
            ? AdminRoutes(
                bearers: bearers, check: administrators,
                search: SearchUsers(
                    store: store, queries: queries, userIDPrefix: prefix, attributes: attributes,
                    defaultRegion: policy.defaultRegion, now: now),
                endSessions: EndUserSessions(
                    store: store, tokenService: courier.tokenService, userIDPrefix: prefix, now: now),
                recent: recent, withinSeconds: policy.admin.withinSeconds, secondFactor: secondFactor,
                support: support, invite: accounts.invite,
                create: CreateUser(
                    act: act, rules: support.importUsers, tags: CallTags(ring: keys.storage), accounts: parts),
                deployment: ReadDeployment(
                    store: store, queries: queries, tokenService: courier.tokenService, otpService: courier.otpService,
                    defaultRegion: policy.defaultRegion, now: now),
                state: ReadState(
                    store: store, policy: policy, state: state, counter: counter, tokenService: courier.tokenService,
                    otpService: courier.otpService, now: now),
                act: ActAsUser(
                    role: policy.admin.actAs?.role, tokenService: courier.tokenService, attributes: attributes,
                    userIDPrefix: prefix, now: now))
            : nil
        clients = ClientRoutes(
            grant: GrantToClient(
                store: store, assertions: UsedAssertions(redis: proofLock.redis, hasRoom: proofLock.hasRoom),
                grantKeys: keys.grants, issuer: policy.issuer, failures: clientFailures, now: now),
            manage: ManageClients(
                store: store, queries: queries, tokenService: courier.tokenService, userIDPrefix: prefix, now: now))
        secondFactors = SecondFactorRoutes(
            bearers: bearers,
            change: ChangeSecondFactor(
                act: act, recent: recent, withinSeconds: policy.reauthentication.withinSeconds,
                delaySeconds: Int64((policy.passkeys ?? PasskeyPolicy()).addDelayHours) * 3_600,
                issuer: policy.mfa?.totp == true ? policy.messages.appName : nil, seal: factorSeal, move: move,
                notices: ofChanges),
            prove: ProveSecondFactor(
                check: checkFactor, tickets: tickets, tags: CallTags(ring: keys.storage), proofKeys: keys.proofs,
                passkeys: rules.flatMap { rules in
                    provePasskey.map {
                        (BeginPasskey(rules: rules, own: own), StepUpByPasskey(prove: $0, notices: ofChanges))
                    }
                }),
            resets: SecondFactorResets(
                store: store, seal: phoneChanges.seal, delaySeconds: phoneChanges.delaySeconds, userIDPrefix: prefix,
                notices: ofChanges, now: now))
        outbox = OutboxRoutes(store: storage.outbox, users: store, userIDPrefix: prefix, now: now)
    }
}
