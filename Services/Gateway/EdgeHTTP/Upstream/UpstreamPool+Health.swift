import NIOCore

extension UpstreamPool {
    /// Whether another address serves, so that `replica` may be skipped.
    func hasOther(than replica: Replica, now: NIODeadline) -> Bool {
        replicas.contains { $0.health !== replica.health && !$0.health.isSkipped && $0.isHealthy(now: now) }
    }

    /// Looks for silent addresses, and checks those that are skipped; called several times a second.
    func look(now: NIODeadline) {
        for replica in replicas {
            if replicas.count > 1 {
                let othersSent = replicas.contains { $0.health !== replica.health && $0.health.hasSentLately(now: now) }
                replica.look(othersSent: othersSent && hasOther(than: replica, now: now), now: now)
            }
            if replica.health.isSkipped { checkIfDue(replica, now: now) }
        }
    }

    private func checkIfDue(_ replica: Replica, now: NIODeadline) {
        guard let rule = group.check, replica.hasRoom, replica.health.beginCheck(now: now) else { return }
        let check = HealthCheck(path: rule.path)
        check.start(on: eventLoop)
        // No other address is an answer to a refusal.
        connect(to: replica, for: check, refusedBy: replicas)
    }

    /// Notes the head of a response.
    func responseDidBegin(_ head: ResponseHead, from replica: Replica, isTrial: Bool) {
        guard head.status == 503 || replica.health.isInTrouble else { return }
        let now = NIODeadline.now()
        let (pause, othersServe) = (RetryAfter.seconds(in: head), hasOther(than: replica, now: now))
        replica.health.note {
            $0.responseDidBegin(pauseSeconds: pause, isTrial: isTrial, othersServe: othersServe, now: now)
        }
    }

    /// Notes that a response is complete.
    func responseDidEnd(from replica: Replica) {
        guard replica.health.isInTrouble else { return }
        replica.health.note {
            $0.responseDidEnd()
            return nil
        }
    }

    /// Notes a time-out, a reset or an unreadable response.
    func requestDidFail(at replica: Replica, isTrial: Bool) {
        let now = NIODeadline.now()
        let othersServe = hasOther(than: replica, now: now)
        replica.health.note { $0.requestDidFail(isTrial: isTrial, othersServe: othersServe, now: now) }
    }

    /// Notes that no connection was made.
    func connectDidFail(to replica: Replica, now: NIODeadline) {
        if replica.takeTrial() { return requestDidFail(at: replica, isTrial: true) }
        guard group.check != nil else { return }
        let othersServe = hasOther(than: replica, now: now)
        replica.health.note { $0.connectDidFail(othersServe: othersServe, now: now) }
    }
}
