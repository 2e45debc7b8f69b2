internal import Foundation
internal import POSIX

/// The lines of earlier prompts, in a file that only its user may read; without one where that is not
/// possible.
///
/// Source of the place: the XDG Base Directory Specification, `XDG_STATE_HOME`.
struct PromptHistory {
  /// How many lines are kept: of twice as many, the newest.
  private static let most = 1000

  private let path: String

  /// Finds the place, and makes its folder; nil where there is none.
  init?() {
    let environment = ProcessInfo.processInfo.environment
    var base = environment["XDG_STATE_HOME"] ?? ""
    if !base.hasPrefix("/") {
      guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
      base = "\(home)/.local/state"
    }
    let folder = "\(base)/coffer"
    path = "\(folder)/sql_history"
    guard
      (try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])) != nil
    else { return nil }
  }

  /// The lines, the oldest first.
  func lines() -> [String] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.count > 2 * Self.most else { return lines }
    let newest = Array(lines.suffix(Self.most))
    write(newest.map { "\($0)\n" }.joined(), O_TRUNC)
    return newest
  }

  /// Adds a line.
  func add(_ line: String) { write("\(line)\n", O_APPEND) }

  private func write(_ text: String, _ flag: Int32) {
    let descriptor = FileOpening.open(
      path, O_WRONLY | O_CREAT | O_NOFOLLOW | flag, mode: 0o600)
    guard descriptor >= 0 else { return }
    defer { FileIO.close(descriptor) }
    // Also one that was there with other permissions.
    guard fchmod(descriptor, 0o600) == 0 else { return }
    unsafe Array(text.utf8).withUnsafeBytes { unsafe try? FileIO.writeAll(descriptor, $0) }
  }
}
