import OTPCore

await OTPService.run()
