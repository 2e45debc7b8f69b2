package import BackupPlaces
internal import Foundation

extension RclonePlace {
  /// Whether rclone is installed.
  package static let isInstalled = ProcessRunner.find("rclone") != nil

  /// A folder of this machine, without the settings of the user who runs the tests.
  package static func folder(_ path: String) throws -> RclonePlace {
    var environment = ProcessInfo.processInfo.environment
    environment["RCLONE_CONFIG"] = "/dev/null"
    return RclonePlace(try RcloneAddress("rclone::local:\(path)"), environment: environment)
  }
}
