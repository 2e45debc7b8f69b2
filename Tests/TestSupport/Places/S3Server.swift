package import BackupPlaces
internal import Foundation

/// An S3 service on this machine, which all tests of a process share: moto, which is written in Python.
///
/// It refuses requests whose signature another implementation would not have made.
package final class S3Server: Sendable {
  /// The service; nil without Python, or without its package `moto[server]`.
  package static let shared: S3Server? = try? S3Server()

  /// Why tests are skipped without it.
  package static let wanted = "the Python package moto[server], version 5"

  private let ports: [Substring]
  // Ends with the test's process, and with this pipe.
  private let process: Process
  private let folder: TemporaryDirectory

  private init() throws {
    folder = try TemporaryDirectory()
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    guard let python = PythonPackages.interpreter else { throw Unavailable() }
    process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = [here.path + "/s3-server.py", folder.path]
    process.environment = PythonPackages.environment
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let data = pipe.fileHandleForReading.availableData
      guard !data.isEmpty else { throw Unavailable() }
      line += data
    }
    ports = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard ports.count == 3 else { throw Unavailable() }
  }

  deinit { process.terminate() }

  /// The secrets, which no message may show.
  package let secrets = ["SECRET/that+nobody=sees", "TOKEN/that+nobody=sees"]

  /// The path of a file with the certificate of the service.
  package var certificate: String { String(ports[2]) }

  /// Makes up the address of a new place.
  ///
  /// - Parameter isAged: whether backups that are forgotten there seem to have been for 31 days.
  /// - Returns: the address.
  package func newAddress(isAged: Bool = false) -> String {
    "s3://vaults/\(isAged ? "x/aged/" : "")\(UUID().uuidString)"
  }

  /// Makes an environment with the settings to reach the service.
  ///
  /// - Parameters:
  ///   - faults: a seed of faults, which make about every third request fail; nil for none.
  ///   - isSecure: whether to speak HTTPS.
  /// - Returns: its variables.
  package func environment(faults: Int? = nil, isSecure: Bool = false) -> [String: String] {
    let path = faults.map { "/faults-\($0)" } ?? ""
    return [
      "AWS_ACCESS_KEY_ID": "TESTKEY", "AWS_SECRET_ACCESS_KEY": secrets[0],
      "AWS_SESSION_TOKEN": secrets[1], "HOME": folder.path,
      "AWS_ENDPOINT_URL_S3": isSecure
        ? "https://127.0.0.1:\(ports[1])" : "http://127.0.0.1:\(ports[0])\(path)",
    ]
  }

  /// A place on it; an empty one, unless an address is given.
  package func newPlace(_ address: String? = nil) throws -> S3Place {
    let address = try S3Address(address ?? newAddress())
    return S3Place(address, try S3Settings(environment: environment(), for: address))
  }

  private struct Unavailable: Error {}
}
