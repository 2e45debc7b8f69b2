internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Deletions of the other store, and delete rules.
///
/// Each store has applied the delete rules to the objects that it had. They remain to be applied to
/// the objects that the other store added meanwhile.
extension MergeRun {
  /// Deletes the objects that the other store deleted, unless the store uses them and the policy
  /// prefers the store.
  func mergeDeletions() throws {
    guard base != nil else { return }
    try forEachObject(in: Self.gone) { object in
      guard try editor.entityNumber(of: object) != nil, try isInUse(object) else { return }
      try noteUse(of: object, on: store)
      if policy.prefersOther { try noteOverruled(object) } else { try keep(object) }
    }
    if policy.prefersOther { try carryOutDeletions(.store) }
    var unset: [Unset] = []
    try forEachObject(in: Self.gone) { object in
      guard try !editor.statements.contains(object, in: Self.kept) else { return }
      if policy.prefersOther { unset += try unsetReferences(to: object) }
      try editor.delete([object])
    }
    for reference in unset { try restore(reference) }
  }

  /// Keeps an object that the other store deleted, and the objects that would have to be deleted
  /// with their owner.
  private func keep(_ object: StoredObject) throws {
    var waiting = [object]
    while let next = waiting.popLast() {
      guard try isGone(next), try editor.statements.insert(next, into: Self.kept) else { continue }
      waiting += try store.lookup.owners(of: next)
    }
  }

  // MARK: Delete rules

  /// Applies the delete rules of objects that stay deleted to the objects that only the store that
  /// uses them has.
  func carryOutDeletions(_ side: MergeValues.Side) throws {
    let user = side == .store ? store : other
    func isOnlyThere(_ object: StoredObject) throws -> Bool {
      try side == .store
        ? identity.isOnlyOfStore(object)
        : isSelected(object) && identity.isOnlyOfOther(object)
    }
    var fallen: Set<StoredObject> = []
    var unset: [Unset] = []
    try forEachObject(in: Self.overruled) { object in
      var waiting = [object]
      while let next = waiting.popLast() {
        for (found, _) in try user.lookup.destinations(of: next, by: .cascade)
        where try isOnlyThere(found) && fallen.insert(found).inserted {
          try noteCascade(of: found, on: user)
          waiting.append(found)
        }
      }
    }
    try forEachObject(in: Self.overruled) { object in
      try requireNoDenial(of: object, on: user, besides: fallen)
    }
    for object in fallen.sorted(by: { ($0.table, $0.key) < ($1.table, $1.key) }) {
      guard let object = try side == .store ? object : identity.present(object) else { continue }
      if side == .store { unset += try unsetReferences(to: object) }
      consequenceCount += 1
      try editor.delete([object])
    }
    for reference in unset { try restore(reference) }
  }

  /// Notes a conflict that no policy settles in favor of a deletion which the model forbids.
  private func requireNoDenial(
    of object: StoredObject, on user: MergeSide, besides fallen: Set<StoredObject>
  ) throws {
    // Destinations that the object had in the base are no obstacle.
    let before = try base?.lookup.destinations(of: object, by: .deny) ?? []
    let old = Dictionary(grouping: before, by: \.relationshipName)
      .mapValues { Set($0.map(\.object)) }
    for (found, name) in try user.lookup.destinations(of: object, by: .deny)
    where !fallen.contains(found) && old[name]?.contains(found) != true {
      let stays =
        try user === store ? !isGone(found) : isSelected(found) && identity.present(found) != nil
      if stays { return try noteDenial(of: object, on: user, name) }
    }
  }

  // MARK: Uses

  /// Whether the store changed an object of the base, or has new references to it.
  private func isInUse(_ object: StoredObject) throws -> Bool {
    try !changedColumns(of: object, on: store).isEmpty || newReference(to: object, on: store) != nil
  }

  /// The columns in which a store changed an object of the base.
  func changedColumns(of object: StoredObject, on side: MergeSide) throws -> [Int] {
    guard let here = try side.row(object), let before = try base?.row(object) else { return [] }
    return try values.columns[object.table].filter { column in
      try values.isChanged(
        before, here, on: side === store ? .store : .other, column: column, of: object)
    }
  }

  /// A reference to an object of the base that a store added; nil if there is none.
  func newReference(
    to object: StoredObject, on side: MergeSide
  ) throws(CofferError) -> (holder: StoredObject, relationship: Name)? {
    guard let base else { return nil }
    for reference in side.schema.references where reference.destinationTable == object.table {
      for holder in try side.lookup.holders(of: object, in: reference)
      where try base.lookup.integer(reference.column, of: holder) != object.key {
        return (holder, side.shape(reference.table).propertyName(reference.column))
      }
    }
    for pairs in side.schema.pairs {
      for end in 0...1 where pairs.ends[end].table == object.table {
        let before = Set(try base.lookup.partners(of: object.key, at: end, in: pairs))
        for partner in try side.lookup.partners(of: object.key, at: end, in: pairs)
        where !before.contains(partner) {
          let holders = pairs.ends[1 - end]
          return (StoredObject(table: holders.table, key: partner), holders.property.property)
        }
      }
    }
    return nil
  }
}
