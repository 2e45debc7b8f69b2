internal import CofferKit
internal import CoreDataArchive

extension JSONLines {
  /// The line of a state, with its end.
  ///
  /// - Parameters:
  ///   - progress: the state.
  ///   - elapsed: how long the command has worked.
  /// - Returns: the text.
  static func progress(_ progress: WorkProgress, elapsed: Duration) -> [UInt8] {
    var members: JSONObject = [
      "phase": .string(progress.phase.rawValue), "completed": number(progress.completed),
    ]
    members.append("total", progress.total.map { number($0) })
    members.append("bytes", progress.byteCount.map { number($0) })
    let milliseconds = (elapsed / .milliseconds(1)).rounded()
    members.append("seconds", .real(milliseconds / 1000))
    return text("progress", members) + [0x0A]
  }
}
