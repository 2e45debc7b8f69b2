internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Objects that the store deleted and the other store uses: it changed them, or added references to
/// them.
extension MergeRun {
  /// Settles one such use: the object comes back if the policy prefers the other store.
  func settleUse(of object: StoredObject) throws {
    guard policy.prefersOther else { return try noteOverruled(object) }
    var waiting = [object]
    while let next = waiting.popLast() {
      guard identity.isOld(next), try identity.present(next) == nil else { continue }
      guard try editor.statements.insert(next, into: Self.returned) else { continue }
      try MergeObjects(self, next.table).restore(next)
      // An object that would have to be deleted with its owner cannot exist without it.
      waiting += try other.lookup.owners(of: next).filter { try isSelected($0) }
    }
  }

  /// Settles all uses of objects that the store deleted, and restores the references of objects that
  /// come back.
  func settleUses() throws {
    let last = try settleReferences(after: .min)
    try forEachPair { pairs, source, destination in
      let ends = editor.schema.pairs[pairs].ends
      try settle(source, ends[1].property.property)
      try settle(destination, ends[0].property.property)
    }
    guard policy.prefersOther else { return try carryOutDeletions(.other) }
    // Objects that came back because of pairs may lead to others.
    try settleReferences(after: last)
    try giveBackReferences()
  }

  /// - Parameter start: the place in the table of references after which it begins.
  /// - Returns: the place of the last reference.
  /// - Throws: errors from reading and writing.
  @discardableResult
  private func settleReferences(after start: Int64) throws -> Int64 {
    var last = start
    try editor.statements.forEachRow(
      "SELECT rowid, r, d FROM \(Self.links) WHERE rowid > ?1 AND rowid > \(start) "
        + "AND n = \(Link.changed.rawValue) ORDER BY rowid", keys: 1
    ) { row in
      guard let place = row[0].integer, let index = row[1].integer else { return }
      last = place
      guard let key = row[2].integer else { return }
      let reference = editor.schema.references[Int(index)]
      try settle(
        StoredObject(table: reference.destinationTable, key: key),
        store.shape(reference.table).propertyName(reference.column))
    }
    return last
  }

  private func settle(_ destination: StoredObject, _ property: Name) throws {
    // A reference without a destination in the other store gets none here.
    guard try identity.present(destination) == nil, try other.lookup.contains(destination) else {
      return
    }
    if let selection, try !selection.contains(destination) { return selection.noteUnset() }
    try noteMissing(destination, property)
    try settleUse(of: destination)
  }

  /// Restores the references to objects that come back.
  private func giveBackReferences() throws {
    try forEachObject(in: Self.returned) { object in
      for (index, reference) in other.schema.references.enumerated()
      where reference.destinationTable == object.table {
        for holder in try other.lookup.holders(of: object, in: reference)
        where try lost(reference, holder, object) {
          try link(index, of: holder, to: object.key, .restored)
          if let order = other.schema.orderOfReference[index] {
            try noteList(order, owner: object.key)
          }
        }
      }
      for (index, pairs) in other.schema.pairs.enumerated() {
        for end in 0...1 where pairs.ends[end].table == object.table {
          for partner in try other.lookup.partners(of: object.key, at: end, in: pairs) {
            let (source, destination) = end == 0 ? (object.key, partner) : (partner, object.key)
            try pair(index, source, destination)
          }
        }
      }
    }
  }

  /// Whether an object of the store had a reference to one that it deleted, which is now unset.
  private func lost(
    _ reference: EditedReference, _ holder: StoredObject, _ object: StoredObject
  ) throws(CofferError) -> Bool {
    guard let base, try base.lookup.integer(reference.column, of: holder) == object.key,
      try store.lookup.contains(holder)
    else { return false }
    return try store.lookup.integer(reference.column, of: holder) == nil
  }

  /// Notes an object that one store deleted, and that stays deleted although the other one uses it.
  func noteOverruled(_ object: StoredObject) throws(CofferError) {
    try editor.statements.insert(object, into: Self.overruled)
  }

  func forEachObject(in table: String, _ body: (StoredObject) throws -> Void) throws {
    try editor.statements.forEachRow(
      "SELECT t, k FROM \(table) WHERE (t, k) > (?1, ?2) ORDER BY t, k", keys: 2
    ) { row in
      guard let table = row[0].integer, let key = row[1].integer else { return }
      try body(StoredObject(table: Int(table), key: key))
    }
  }
}

extension EditStatements {
  /// Adds an object to a table of objects; returns false if the table has it.
  @discardableResult
  func insert(_ object: StoredObject, into table: String) throws(CofferError) -> Bool {
    try run(
      "INSERT OR IGNORE INTO \(table) VALUES (?, ?)", .integer(Int64(object.table)),
      .integer(object.key)) > 0
  }

  func contains(_ object: StoredObject, in table: String) throws(CofferError) -> Bool {
    try row(
      "SELECT 1 FROM \(table) WHERE t = ? AND k = ?", .integer(Int64(object.table)),
      .integer(object.key)) != nil
  }
}
