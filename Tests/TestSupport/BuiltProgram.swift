internal import Foundation

/// The program `coffer` as it was built together with the tests.
package enum BuiltProgram {
  /// There is no program beside the tests.
  package struct NotFound: Error {}

  /// The path of the program, which is built into the folder in which the tests are.
  ///
  /// - Returns: the path of a regular file.
  /// - Throws: ``NotFound`` where only the tests were built.
  package static func path() throws -> String {
    var places = [ProcessInfo.processInfo.arguments[0], Bundle.main.bundlePath]
    places += Bundle.allBundles.map(\.bundlePath)
    for place in places {
      var folder = URL(fileURLWithPath: place)
      for _ in 0..<4 {
        folder.deleteLastPathComponent()
        let candidate = folder.appendingPathComponent("coffer").path
        let attributes = try? FileManager.default.attributesOfItem(atPath: candidate)
        if attributes?[.type] as? FileAttributeType == .typeRegular { return candidate }
      }
    }
    throw NotFound()
  }
}
