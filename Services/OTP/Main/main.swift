internal import OTPCore

await OTPService.run()
