internal import Foundation

/// The program `coffer`, and others of the package, as they were built together with the tests.
///
/// `COFFER_PROGRAM` names another `coffer`: tests start it about two thousand times, and one that was
/// built for release starts and works several times as fast.
package enum BuiltProgram {
  /// There is no program next to the tests.
  package struct NotFound: Error {}

  /// The path of a program, which is built into the folder in which the tests are.
  ///
  /// - Parameter name: the name of the product.
  /// - Returns: the path of a regular file.
  /// - Throws: ``NotFound`` where only the tests were built.
  package static func path(of name: String = "coffer") throws -> String {
    if name == "coffer", let path = ProcessInfo.processInfo.environment["COFFER_PROGRAM"] {
      return path
    }
    var places = [ProcessInfo.processInfo.arguments[0], Bundle.main.bundlePath]
    places += Bundle.allBundles.map(\.bundlePath)
    for place in places {
      var folder = URL(fileURLWithPath: place)
      for _ in 0..<4 {
        folder.deleteLastPathComponent()
        let candidate = folder.appendingPathComponent(name).path
        let attributes = try? FileManager.default.attributesOfItem(atPath: candidate)
        if attributes?[.type] as? FileAttributeType == .typeRegular { return candidate }
      }
    }
    throw NotFound()
  }
}
