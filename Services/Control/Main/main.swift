internal import ControlCore

await LatchkeyControl.main()
