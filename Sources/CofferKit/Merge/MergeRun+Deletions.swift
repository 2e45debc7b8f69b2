internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

extension MergeRun {
  /// Deletes what the other store deleted, by the delete rules.
  ///
  /// A deletion that a rule denies because of an object that is itself deleted later is tried again.
  func mergeDeletions() throws {
    guard base != nil else { return }
    var denied = try deletions { object in try merge(deletionOf: object) }
    while !denied.isEmpty {
      var left: [(StoredObject, PlannedDeletion)] = []
      for (object, _) in denied {
        if let plan = try merge(deletionOf: object) { left.append((object, plan)) }
      }
      if left.count == denied.count { break }
      denied = left
    }
    for (object, plan) in denied {
      try note(
        .denied, object, on: store, plan.denial?.relationshipName,
        isSettled: !options.policy.prefersOther)
    }
  }

  private func deletions(
    _ delete: (StoredObject) throws -> PlannedDeletion?
  ) throws -> [(StoredObject, PlannedDeletion)] {
    var denied: [(StoredObject, PlannedDeletion)] = []
    try editor.statements.forEachRow(
      "SELECT t, k FROM \(Self.gone) WHERE (t, k) > (?1, ?2) ORDER BY t, k", keys: 2
    ) { row in
      guard let table = row[0].integer, let key = row[1].integer else { return }
      let object = StoredObject(table: Int(table), key: key)
      if let plan = try delete(object) { denied.append((object, plan)) }
    }
    return denied
  }

  /// Merges a deletion.
  ///
  /// - Returns: the plan if a delete rule denies it; otherwise nil.
  private func merge(deletionOf object: StoredObject) throws -> PlannedDeletion? {
    guard try editor.entityNumber(of: object) != nil else { return nil }
    if try isInUse(object) {
      try note(.changedHere, object, on: store)
      if !options.policy.prefersOther { return nil }
    }
    let plan = try editor.plannedDeletion(of: object)
    if plan.denial != nil { return plan }
    var mayDelete = true
    for other in plan.objects.dropFirst() {
      guard try !isGone(other) || isInUse(other) else { continue }
      try note(.cascade, other, on: store)
      if !options.policy.prefersOther { mayDelete = false }
    }
    guard mayDelete else { return nil }
    for object in plan.objects.dropFirst() where try !isGone(object) { consequenceCount += 1 }
    try editor.delete(plan.objects)
    return nil
  }

  /// Whether the store changed an object of the base, or refers to it where the base does not.
  private func isInUse(_ object: StoredObject) throws -> Bool {
    try isChanged(object) || hasNewReferences(object)
  }

  /// Whether the store changed an object of the base.
  private func isChanged(_ object: StoredObject) throws -> Bool {
    guard let here = try store.row(object), let before = try base?.row(object) else { return true }
    return try values.columns[object.table].contains { column in
      try !values.isSame(before, .base, here, .store, column: column, table: object.table)
    }
  }

  /// Whether something in the store leads to an object of the base that did not lead there.
  private func hasNewReferences(_ object: StoredObject) throws(CofferError) -> Bool {
    guard let base else { return false }
    for reference in store.schema.references where reference.destinationTable == object.table {
      for holder in try store.lookup.holders(of: object, in: reference)
      where try base.lookup.integer(reference.column, of: holder) != object.key {
        return true
      }
    }
    for pairs in store.schema.pairs {
      for end in 0...1 where pairs.ends[end].table == object.table {
        let before = Set(try base.lookup.partners(of: object.key, at: end, in: pairs))
        if try store.lookup.partners(of: object.key, at: end, in: pairs).contains(where: {
          !before.contains($0)
        }) {
          return true
        }
      }
    }
    return false
  }
}
