/// Stores of any size.
package enum LargeStore {
  /// Writes.
  package static func write(to path: String, _ options: GeneratorOptions) throws -> String {
    try SampleStore.write(to: path, journal: options.journal)
    return ""
  }
}
