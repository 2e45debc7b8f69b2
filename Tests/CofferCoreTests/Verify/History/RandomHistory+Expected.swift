/// What is wrong, found by looking through everything for everything.
extension RandomHistory {
  /// The findings, each with the numbers of its detail, in the order of their texts.
  var expected: [String] {
    (counterFindings + versionFindings + changeFindings + transactionFindings).sorted()
  }

  private var counterFindings: [String] {
    var pairs = tables.map { ($0.root, $0.counter, $0.objects.map(\.key)) }
    pairs.append(("CHANGE", systemCounters[0], changes.map(\.key)))
    pairs.append(("TRANSACTION", systemCounters[1], transactions.map(\.key)))
    pairs.append(("TRANSACTIONSTRING", systemCounters[2], strings))
    return pairs.compactMap { name, counter, keys in
      guard let highest = keys.max(), highest > counter else { return nil }
      return "error primary-key-counter-behind \(name) \([counter, highest])"
    }
  }

  private var versionFindings: [String] {
    var found: [String] = []
    for table in tables {
      for object in table.objects {
        let name = "\(table.entities[object.entity] ?? "")/p\(object.key)"
        let version = object.version ?? 0
        if version < 1 {
          let numbers = object.version.map { [$0] } ?? []
          found.append("error invalid-version \(name) \(numbers)")
        }
        let history = changes.filter {
          table.entities[$0.entity] != nil && $0.object == object.key && $0.type < 3
        }
        guard let last = history.last else { continue }
        if last.type == 2 {
          found.append("error deleted-object-present \(name) \([last.key])")
        } else if let insertion = history.lastIndex(where: { $0.type == 0 }),
          !history[insertion...].contains(where: { $0.type == 2 })
        {
          let updates = Int64(history[insertion...].count - 1)
          if version > 0, version < 1 + updates {
            let numbers = updates == 1 ? [version] : [version, updates]
            found.append("info version-behind-history \(name) \(numbers)")
          }
        }
      }
    }
    return found
  }

  private var changeFindings: [String] {
    var found: [String] = []
    for change in changes {
      let table = tables.first { $0.entities[change.entity] != nil }
      var entity = table?.entities[change.entity]
      if change.entity == 1 { entity = "AttachmentEntity" }
      let place = entity.map { name in name + (change.object.map { "/p\($0)" } ?? "") + " " } ?? ""
      if entity == nil, change.entity < 16_000 {
        found.append("error change-of-unknown-entity \([change.key, change.entity])")
      }
      if change.type > 2 || (change.object ?? 0) < 1 {
        found.append("error invalid-change \(place)\([change.key])")
      }
      if !transactions.contains(where: { $0.key == change.transaction }) {
        let numbers = [change.key] + (change.transaction.map { [$0] } ?? [])
        found.append("error change-without-transaction \(place)\(numbers)")
      }
      if entity != nil, let object = change.object {
        let limit = max(table?.counter ?? 0, table?.objects.map(\.key).max() ?? 0)
        if object > limit {
          found.append("warning change-beyond-counter \(place)\([change.key, limit])")
        }
      }
    }
    return found
  }

  private var transactionFindings: [String] {
    var found: [String] = []
    for (one, next) in zip(transactions, transactions.dropFirst()) where next.time < one.time {
      found.append("warning history-out-of-order \([next.key])")
    }
    for text in Set(1...6 as ClosedRange<Int64>).subtracting(strings) {
      for column in 0..<4 {
        let users = transactions.filter { $0.texts[column] == text }
        guard let first = users.first else { continue }
        let numbers = users.count > 1 ? [first.key, Int64(users.count - 1)] : [first.key]
        found.append("error dangling-history-string \(numbers)")
      }
    }
    return found
  }
}
