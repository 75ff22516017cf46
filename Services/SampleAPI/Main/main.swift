internal import SampleAPICore

await SampleAPI.run()
