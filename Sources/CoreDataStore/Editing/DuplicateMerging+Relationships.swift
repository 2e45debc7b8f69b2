internal import CoreDataModel

extension DuplicateMerging {
  /// Moves the references to and from a removed object to the object that remains.
  func move(_ object: StoredObject, to kept: StoredObject) throws(CofferError) {
    for (index, reference) in editor.schema.references.enumerated() {
      if reference.table == object.table { try takeOver(index, reference, from: object, kept) }
      if reference.destinationTable == object.table {
        try moveHolders(index, reference, from: object, kept)
      }
    }
    for (index, pairs) in editor.schema.pairs.enumerated() {
      for end in 0...1 where pairs.ends[end].table == object.table {
        try movePairs(index, pairs, end, from: object, kept)
      }
    }
  }

  /// Puts the members that an object got after those that it had, in their order: once for each list.
  func orderAppended() throws(CofferError) {
    for (order, lists) in appended.sorted(by: { $0.key < $1.key }) {
      for (owner, keys) in lists.sorted(by: { $0.key < $1.key }) {
        let moved = Set(keys)
        let members = try editor.members(order, of: owner).map(\.key)
        try editor.order(members.filter { !moved.contains($0) } + keys, order, of: owner)
      }
    }
  }

  /// The keys of the members of an ordered relationship of an object; nil without an order.
  private func memberKeys(of owner: StoredObject, _ order: Int?) throws(CofferError) -> [Int64]? {
    guard let order else { return nil }
    return try editor.members(order, of: owner.key).map(\.key)
  }

  /// Gives the object that remains the destination of a to-one relationship that it lacks.
  ///
  /// It lacks one that leads to a removed object of its group. Of the links within a group, only
  /// links from an object to itself remain.
  private func takeOver(
    _ index: Int, _ reference: EditedReference, from object: StoredObject, _ kept: StoredObject
  ) throws(CofferError) {
    guard let key = try editor.destination(index, of: object) else { return }
    let destination = StoredObject(table: reference.destinationTable, key: key)
    let target = try self.kept(of: destination) ?? destination
    if target == kept, destination != object {
      counts.droppedCount += 1
      return
    }
    let own = try editor.destination(index, of: kept).map {
      StoredObject(table: reference.destinationTable, key: $0)
    }
    if let own { guard try self.kept(of: own) == kept else { return } }
    guard try editor.entityNumber(of: target) != nil else { return }
    if let partner = reference.partner, let other = try editor.destination(partner, of: target),
      other != object.key
    {
      let rival = StoredObject(table: reference.table, key: other)
      guard try self.kept(of: rival) == kept else { return }
    }
    let order = editor.schema.orderOfReference[index]
    let members = try memberKeys(of: target, order)
    try editor.set(index, of: kept, to: target.key)
    counts.movedCount += 1
    if own != nil { counts.droppedCount += 1 }
    if let order, let members {
      try editor.order(members.putting(kept.key, before: object.key), order, of: target.key)
    }
  }

  /// Redirects references from a removed object to the remaining one, after its existing ones and
  /// in their order.
  private func moveHolders(
    _ index: Int, _ reference: EditedReference, from object: StoredObject, _ kept: StoredObject
  ) throws(CofferError) {
    let order = editor.schema.orderOfReference[index]
    let holders =
      if let members = try memberKeys(of: object, order) { members } else {
        try editor.holders(of: object, in: index).map(\.key)
      }
    var moved: [Int64] = []
    for key in holders {
      let holder = StoredObject(table: reference.table, key: key)
      if holder == kept {
        try editor.set(index, of: kept, to: nil)
        counts.droppedCount += 1
        continue
      }
      guard try self.kept(of: holder) == nil else { continue }
      if let partner = reference.partner, try editor.destination(partner, of: kept) != nil {
        continue
      }
      try editor.set(index, of: holder, to: kept.key)
      moved.append(key)
    }
    counts.movedCount += moved.count
    if let order, !moved.isEmpty { appended[order, default: [:]][kept.key, default: []] += moved }
  }

  private func movePairs(
    _ index: Int, _ pairs: EditedPairs, _ end: Int, from object: StoredObject,
    _ kept: StoredObject
  ) throws(CofferError) {
    let order = editor.schema.orderOfPairs[[index, end]]
    let otherOrder = editor.schema.orderOfPairs[[index, 1 - end]]
    let partners =
      if let members = try memberKeys(of: object, order) { members } else {
        try editor.partners(of: object.key, at: end, in: index)
      }
    var moved: [Int64] = []
    for key in partners {
      let partner = StoredObject(table: pairs.ends[1 - end].table, key: key)
      let target = try self.kept(of: partner) ?? partner
      if target == kept, partner != object {
        // A removed source counts the pair at its own end.
        if end == 0 || partner == kept { counts.droppedCount += 1 }
        continue
      }
      let (source, destination) = end == 0 ? (kept.key, target.key) : (target.key, kept.key)
      guard try editor.entityNumber(of: target) != nil,
        try !editor.hasPair(source, destination, in: index)
      else { continue }
      let others = try memberKeys(of: target, otherOrder)
      try editor.insertPair(source, destination, into: index)
      moved.append(target.key)
      if let otherOrder, let others {
        try editor.order(others.putting(kept.key, before: object.key), otherOrder, of: target.key)
      }
    }
    counts.movedCount += moved.count
    if let order, !moved.isEmpty { appended[order, default: [:]][kept.key, default: []] += moved }
  }
}

extension [Int64] {
  /// The list with an element before another one; at the end if the other one is missing.
  fileprivate func putting(_ element: Int64, before other: Int64) -> [Int64] {
    guard let index = firstIndex(of: other) else { return self + [element] }
    var list = self
    list.insert(element, at: index)
    return list
  }
}
