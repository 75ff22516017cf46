import ServiceHTTP

extension UserWiring {
    /// Adds all routes of the service.
    func add(to table: inout ServiceRoutes) {
        users.add(to: &table)
        accounts.add(to: &table)
        support.add(to: &table)
        outbox.add(to: &table)
        identities.add(to: &table)
        passkeys.add(to: &table)
        admin?.add(to: &table)
        clients.add(to: &table)
        secondFactors.add(to: &table)
    }
}
