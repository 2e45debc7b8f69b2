internal import Foundation

/// A call of the operating system that a program made, as `faults.c` notes it.
package struct FaultCall: Sendable, Equatable {
  /// The number among the calls that count, from 1.
  package var number: Int
  /// The group that it belongs to.
  package let callClass: Fault.CallClass
  /// The name of the function.
  package let function: String
  /// The path that it was made with, or that its descriptor leads to; two for a rename.
  package let paths: [String]

  /// Reads a log; empty if there is none.
  package static func read(_ log: String) -> [FaultCall] {
    let text = String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 4, let number = Int(fields[0]),
        let callClass = Fault.CallClass(rawValue: fields[1])
      else { return nil }
      return FaultCall(
        number: number, callClass: callClass, function: fields[2], paths: Array(fields[3...]))
    }
  }

  /// Whether a path leads to a temporary file of ours, or to something in a temporary folder.
  package var isTemporary: Bool {
    paths.contains { path in
      path.split(separator: "/").contains {
        $0.contains("coffer-") && !$0.hasPrefix("coffer-test-")
      }
    }
  }

  /// What calls of the same kind have in common: the function and the file, without what is random in
  /// the names of temporary and external files.
  package var kind: String {
    let names = paths.map { path in
      path.split(separator: "/").suffix(2).map { name in
        if name.contains("coffer-") { return "coffer-temporary" }
        return UUID(uuidString: String(name)) == nil ? String(name) : "external"
      }.joined(separator: "/")
    }
    return ([function] + names).joined(separator: " ")
  }
}
