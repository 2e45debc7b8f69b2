internal import Foundation

/// One thing that is wrong with a store: a named change to a good one.
///
///     let path = directory.file("Todo.sqlite")
///     try SampleStore.write(to: path)
///     try Damage.danglingToOne.apply(to: path)
///
/// Made for the sample store, where each causes exactly one problem unless its text says otherwise.
package struct Damage: Sendable, CustomStringConvertible {
  /// The name, in kebab case.
  package let name: String
  /// What is wrong afterwards, in one sentence.
  package let summary: String
  private let change: @Sendable (String) throws -> Void

  /// Damage done by SQL statements, separated by semicolons.
  init(_ name: String, _ summary: String, sql: String) {
    self.init(name, summary) { path in
      try Self.open(path) { try $0.run(sql) }
    }
  }

  /// Damage done by code that gets the path of the store.
  init(_ name: String, _ summary: String, _ change: @escaping @Sendable (String) throws -> Void) {
    self.name = name
    self.summary = summary
    self.change = change
  }

  /// Damages a store.
  ///
  /// - Throws: ``GeneratorError`` when a statement fails, or the file system's error.
  package func apply(to path: String) throws { try change(path) }

  /// The name, for the report of a test.
  package var description: String { name }

  /// All kinds of damage.
  package static let all =
    references + pairs + orderKeys + rows + values + derived + spatial + history + externalData
    + structure + metadata + numbering + modelCache + files + counts + rules

  /// The damage of that name, or nil.
  package static func named(_ name: String) -> Damage? { all.first { $0.name == name } }

  /// Opens a store with the functions that its triggers call.
  static func open(_ path: String, _ body: (GeneratorDatabase) throws -> Void) throws {
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    try body(database)
  }

  /// Changes the bytes of a file.
  static func rewrite(_ path: String, _ body: (inout Data) throws -> Void) throws {
    let url = URL(fileURLWithPath: path)
    var data = try Data(contentsOf: url)
    try body(&data)
    try data.write(to: url)
  }
}
