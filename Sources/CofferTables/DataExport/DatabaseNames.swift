internal import CoreDataStore

/// Names of tables and views that SQLite does not reserve and does not consider equal.
struct DatabaseNames {
  private var names = UniqueNames(.files)

  /// Takes the name of an entity or a relationship, or one like it that is free.
  mutating func take(_ name: String) -> String {
    let isReserved = name.lowercased().hasPrefix("sqlite_")
    return names.take(isReserved ? "_\(name)" : name)
  }
}
