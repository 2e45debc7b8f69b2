/// Matches the names of a new model with the names of an old one.
///
/// The renaming identifier is the canonical name; if a model gives none, it is the name itself.
/// Source: Apple, "Migrating your data model automatically". That the rest is matched by name is a
/// guess (docs/migration.md).
struct IdentifierMatching {
  /// Something with a name.
  struct Item {
    var name: Name
    /// The renaming identifier; nil if it is the name.
    var renamingIdentifier: Name?
    /// The name that stays the same across versions.
    var identifier: Name { renamingIdentifier ?? name }
  }

  private(set) var sources: [Name: Name] = [:]
  /// The new names whose renaming identifier is the name of something that already has a match,
  /// each with the old name.
  private(set) var ambiguous: [Name: Name] = [:]

  init(from old: [Item], to new: [Item]) {
    var open: [Name: Item] = [:]
    for item in old { open[item.name] = item }
    let all = open
    var pending = new.sorted { $0.name < $1.name }
    func pair(_ find: (Item) -> Name?) {
      pending.removeAll { item in
        guard let found = find(item), open[found] != nil else { return false }
        open[found] = nil
        sources[item.name] = found
        return true
      }
    }
    pair { item in
      open[item.name].flatMap { $0.identifier == item.identifier ? $0.name : nil }
    }
    var byIdentifier: [Name: [Name]] = [:]
    for item in open.values { byIdentifier[item.identifier, default: []].append(item.name) }
    pair { item in
      let candidates = (byIdentifier[item.identifier] ?? []).filter { open[$0] != nil }
      return candidates.count == 1 ? candidates.first : nil
    }
    pair { $0.identifier }
    pair { $0.name }
    for item in pending {
      guard let identifier = item.renamingIdentifier else { continue }
      if all[identifier] != nil {
        ambiguous[item.name] = identifier
      } else if let name = byIdentifier[identifier]?.min() {
        ambiguous[item.name] = name
      }
    }
  }
}
