/// A store that Core Data itself wrote, from a public project.
package struct RealStore: Sendable, Hashable, CustomStringConvertible {
  /// The path below the folder of real stores: a name that is the same on every system.
  package let name: String
  /// The path of the store's main file; never to be opened in place.
  package let path: String

  /// The name of the file alone.
  package var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }
  /// The name, for the report of a test.
  package var description: String { name }
}
