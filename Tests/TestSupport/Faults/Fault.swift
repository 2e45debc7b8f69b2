/// A call of the operating system that goes wrong, as `faults.c` makes it.
package struct Fault: Sendable, CustomStringConvertible {
  /// A group of calls; the names are those of `faults.c`.
  package enum CallClass: String, Sendable, CaseIterable {
    case open, read, write, sync, rename, remove, make, resize, lock, state, list, map
  }

  /// What happens at the chosen call.
  package enum Action: String, Sendable {
    /// This call fails.
    case fail
    /// This call and all that follow fail.
    case failOn = "fail-on"
    /// Half of a write is done, and all calls that follow fail.
    case short
    /// The process is killed before the call.
    case dieBefore = "die-before"
    /// The process is killed when the call was done.
    case dieAfter = "die-after"
    /// The process stops before the call, until it is sent `SIGCONT`.
    case stopBefore = "stop-before"

    /// Whether the process does not survive it.
    package var isDeath: Bool { self == .dieBefore || self == .dieAfter }
  }

  /// The calls that count.
  package var classes: [CallClass]
  /// What happens.
  package var action: Action
  /// The error number of a failure; without meaning where the process dies.
  package var errorNumber: Int32

  /// Creates a fault.
  package init(_ classes: [CallClass], _ action: Action, _ errorNumber: Int32 = 0) {
    self.classes = classes
    self.action = action
    self.errorNumber = errorNumber
  }

  /// The fault in short.
  package var description: String {
    let what = action.isDeath ? action.rawValue : "\(action.rawValue) \(errorNumber)"
    return "\(classes.map(\.rawValue).joined(separator: "+")) \(what)"
  }

  /// What a program must find in its environment.
  ///
  /// - Parameters:
  ///   - number: at which call it happens, from 1; 0 for none, so that calls are only noted.
  ///   - folders: below which folders calls count; absolute, without symbolic links.
  ///   - log: the file in which calls are noted.
  /// - Returns: variables by their names.
  /// - Throws: when the library cannot be compiled.
  package func environment(
    number: Int, folders: [String], log: String
  ) throws -> [String: String] {
    [
      "LD_PRELOAD": try FaultLibrary.path(),
      "COFFER_FAULT_FOLDERS": folders.joined(separator: ":"),
      "COFFER_FAULT_CLASSES": classes.map(\.rawValue).joined(separator: ","),
      "COFFER_FAULT_NUMBER": String(number),
      "COFFER_FAULT_ACTION": action.rawValue,
      "COFFER_FAULT_ERRNO": String(errorNumber),
      "COFFER_FAULT_LOG": log,
    ]
  }
}
