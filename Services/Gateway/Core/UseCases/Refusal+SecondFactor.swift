import InternalAPI

extension SecondFactorAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .done: nil
        case .refused: .secondFactorRefused
        case .exists: .secondFactorExists
        case .notFound: .noSecondFactor
        case .noRecoveryCodes: .recoveryCodesNeeded
        case .off: .notFound
        }
    }
}

extension ProveSecondFactorAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .proved: nil
        case .refused: .secondFactorRefused
        case .rateLimited: .tooManyAttempts(retryAfterSeconds: retryAfterSeconds ?? Wait.lockout)
        }
    }
}
