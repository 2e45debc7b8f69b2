internal import CoreDataModel
internal import Foundation
internal import POSIX

struct RcloneProgram: Sendable {
  private let address: RcloneAddress
  private let program: String
  private let environment: [String: String]

  /// The statuses of rclone for a missing folder and a missing file.
  private static let missing: Set<Int32> = [3, 4]
  /// The options of every call: quiet, with a limited number of retries and a timeout.
  private static let options = [
    "--low-level-retries", "3", "--contimeout", "10s", "--stats", "0", "--log-level", "ERROR",
    // The time that the service lists; the time in a file's metadata takes a request for each file.
    "--use-server-modtime",
  ]

  init(_ address: RcloneAddress, program: String, environment: [String: String]) {
    (self.address, self.program) = (address, program)
    // Times of files are then in UTC.
    self.environment = environment.merging(["TZ": "UTC"]) { $1 }
  }

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - command: the command and its own options.
  ///   - operands: paths as rclone writes them; none can be mistaken for an option.
  ///   - input: its standard input.
  ///   - maxOutput: the maximum number of bytes that it may print.
  ///   - outlivesTask: whether it continues if the task is cancelled, because it cleans up.
  ///   - code: the code of all other errors.
  /// - Returns: its output; nil if the file or folder does not exist.
  /// - Throws: `place-unreachable` without rclone, `read-failed` for more output, and the given code.
  func run(
    _ command: [String], _ operands: [String], input: [UInt8] = [], maxOutput: Int = 1 << 16,
    outlivesTask: Bool = false, _ code: CofferError.Code
  ) throws(CofferError) -> [UInt8]? {
    let result: ChildProcess.Result
    do throws(SystemError) {
      result = try ChildProcess.run(
        program, command + Self.options + ["--"] + operands, environment: environment,
        input: input, maxOutput: maxOutput, outlivesTask: outlivesTask)
    } catch {
      throw failure(error)
    }
    if result.status == 0 { return result.output }
    if Self.missing.contains(result.status) { return nil }
    throw CofferError(
      code, path: address.description,
      detail: "rclone says \(Self.message(result.errorOutput, result.status))",
      advice: "Test the remote: rclone lsf REMOTE:PATH")
  }

  private func failure(_ error: SystemError) -> CofferError {
    let path = address.description
    switch error.number {
    case ENOENT:
      return CofferError(
        .placeUnreachable, path: path, detail: "the program rclone is not installed",
        advice:
          "Install it, such as with apt install rclone, and set up the remote with rclone config.")
    case EFBIG:
      return CofferError(.readFailed, path: path, detail: "rclone sends more bytes than requested")
    default: return CofferError(.placeUnreachable, path: path, error)
    }
  }

  /// The last line of what rclone wrote to standard error, without its time.
  private static func message(_ bytes: [UInt8], _ status: Int32) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
    guard let last = lines.last else { return "nothing, and ends with status \(status)" }
    let line = String(last.unicodeScalars.filter { $0.properties.generalCategory != .control })
      .replacing(#/^[0-9]{4}/[0-9]{2}/[0-9]{2} [0-9:]{8} +/#, with: "")
    return line.count > 300 ? line.prefix(300) + "…" : line
  }
}

/// A file as `rclone lsjson` describes it.
struct RcloneEntry: Decodable {
  private let path: String
  /// Its size in bytes; negative if the service does not report it.
  let size: Int64
  private let modified: String
  let isFolder: Bool

  private enum CodingKeys: String, CodingKey {
    case path = "Path"
    case size = "Size"
    case modified = "ModTime"
    case isFolder = "IsDir"
  }

  /// Describes the file as a file of the place.
  ///
  /// - Parameter folder: the folder that was listed, with a slash at its end; empty for the place
  ///   itself.
  /// - Returns: nil for anything but a file, and for a name that no place uses.
  func file(in folder: String) -> PlacedFile? {
    let name = folder + path
    guard !isFolder, PlaceName.isValid(name) else { return nil }
    return PlacedFile(name: name, byteCount: UInt64(clamping: size), written: written)
  }

  /// The name below the folder that was listed.
  var name: String { path }

  /// When it was written, to the second; the current time if it cannot be parsed, so that no file is removed
  /// for its age.
  var written: Date {
    // Fractions have any number of digits, and zones follow them.
    let seconds = modified.replacing(/\.[0-9]+/, with: "")
    return (try? Date(seconds, strategy: .iso8601)) ?? Date()
  }
}
