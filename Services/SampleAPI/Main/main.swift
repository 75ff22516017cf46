import SampleAPICore

await SampleAPI.run()
