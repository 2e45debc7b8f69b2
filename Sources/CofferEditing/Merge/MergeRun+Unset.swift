internal import CoreDataModel
internal import CoreDataStore

extension MergeRun {
  /// A reference of a common object that only the store set to an object that is deleted or gets another
  /// partner: it gets its destination in the other store back.
  struct Unset {
    fileprivate var reference: Int
    fileprivate var holder: StoredObject
    /// Its destination in the other store, by its key there.
    fileprivate var destination: StoredObject
  }

  /// The references to an object of the copy that lead elsewhere in the other store.
  func unsetReferences(to object: StoredObject) throws -> [Unset] {
    var found: [Unset] = []
    for (index, reference) in editor.schema.references.enumerated()
    where reference.destinationTable == object.table {
      for holder in try editor.holders(of: object, in: index) {
        if let unset = try unset(index, holder), unset.destination != object { found.append(unset) }
      }
    }
    return found
  }

  /// The references of objects that lose their partner to an object, or because of its new partner.
  func partnersLost(
    by object: StoredObject, in reference: Int, to destination: StoredObject?
  ) throws -> [Unset] {
    let found = editor.schema.references[reference]
    guard let partner = found.partner else { return [] }
    var lost: [Unset?] = []
    if let key = try editor.destination(reference, of: object), key != destination?.key {
      lost.append(try unset(partner, StoredObject(table: found.destinationTable, key: key)))
    }
    if let destination, let key = try editor.destination(partner, of: destination),
      key != object.key
    {
      lost.append(try unset(reference, StoredObject(table: found.table, key: key)))
    }
    return lost.compactMap(\.self)
  }

  private func unset(_ reference: Int, _ holder: StoredObject) throws(CofferError) -> Unset? {
    // Objects that are not selected count as unchanged.
    let side = try isSelected(holder) ? other : base ?? other
    let found = side.schema.references[reference]
    guard identity.isOld(holder), let key = try side.lookup.integer(found.column, of: holder)
    else {
      return nil
    }
    return Unset(
      reference: reference, holder: holder,
      destination: StoredObject(table: found.destinationTable, key: key))
  }

  /// Gives a reference its destination in the other store, unless it has another one by now.
  func restore(_ unset: Unset) throws {
    let reference = editor.schema.references[unset.reference]
    guard let present = try identity.present(unset.destination),
      try editor.entityNumber(of: unset.holder) != nil,
      try editor.destination(unset.reference, of: unset.holder) == nil,
      try isFree(present, for: reference)
    else { return }
    try editor.set(unset.reference, of: unset.holder, to: present.key)
    if let order = editor.schema.orderOfReference[unset.reference] {
      try noteList(order, owner: unset.destination.key)
    }
  }

  /// Whether an object that can have only one partner has none.
  func isFree(_ object: StoredObject, for reference: EditedReference) throws(CofferError) -> Bool {
    guard let partner = reference.partner else { return true }
    return try editor.destination(partner, of: object) == nil
  }
}
