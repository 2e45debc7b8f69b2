/// What was written.
package struct GeneratedStoreSummary: Sendable, CustomStringConvertible {
  /// The number of objects.
  package let objects: Int
  /// The number of pairs of many-to-many relationships.
  package let pairs: Int
  /// The number of external files.
  package let externalFiles: Int

  /// The numbers in one line.
  package var description: String {
    "\(objects) objects, \(pairs) pairs, \(externalFiles) external files"
  }
}

/// Makes large stores.
package enum StoreMaker {
  /// Writes a store; an existing store is removed.
  ///
  /// - Throws: ``GeneratorError``, or the file system's error.
  @discardableResult
  package static func write(
    to path: String, _ options: GeneratorOptions
  ) throws -> GeneratedStoreSummary {
    guard options.objectCount >= GeneratorOptions.leastObjectCount else {
      throw GeneratorError("at least \(GeneratorOptions.leastObjectCount) objects are needed")
    }
    let store = try LargeStore(path: path, options)
    try store.write()
    return GeneratedStoreSummary(
      objects: options.objectCount, pairs: store.joinCount, externalFiles: store.externalCount)
  }
}
