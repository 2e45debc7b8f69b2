internal import CoreDataModel

extension LargeStore {
  /// A statement for the pairs of a relationship: owner, destination, then order keys.
  private func pairStatement(
    _ entity: Name, _ relationship: Name, inverse: (Name, Name)? = nil
  ) throws -> GeneratorStatement {
    guard let side = builder.schema.joinSide(entity, relationship) else {
      throw GeneratorError("\(entity).\(relationship) has no table")
    }
    let other = inverse.flatMap { builder.schema.joinSide($0.0, $0.1)?.orderColumn }
    let columns =
      [side.ownerColumn, side.destinationColumn] + [side.orderColumn, other].compactMap { $0 }
    let marks = columns.map { _ in "?" }.joined(separator: ",")
    return try builder.database.prepare(
      "INSERT INTO \(side.table) (\(columns.joined(separator: ","))) VALUES (\(marks))")
  }

  /// Up to so many different numbers, ascending.
  private func choose(_ count: Int, _ draw: () -> Int?) -> [Int] {
    var chosen: [Int] = []
    for _ in 0..<count {
      if let number = draw(), !chosen.contains(number) { chosen.append(number) }
    }
    chosen.sort()
    return chosen
  }

  /// The tags of to-dos; some tags are used much more than others.
  func writeTagPairs() throws {
    let statement = try pairStatement("TodoEntity", "tags")
    for item in 1...counts.items where kind(ofItem: item) != ItemKind.note {
      let wanted = [0, 0, 0, 1, 1, 1, 2, 2, 3, 5][random.below(10)]
      let tags = choose(wanted) {
        let place = random.unit()
        return 1 + Int(Double(counts.tags) * place * place)
      }
      for tag in tags {
        statement.bind(item, at: 1)
        statement.bind(tag, at: 2)
        try statement.run()
      }
      joinCount += tags.count
    }
  }

  /// The people to-dos are assigned to: ordered on both sides.
  func writeAssignees() throws {
    let statement = try pairStatement(
      "TodoEntity", "assignees", inverse: ("PersonEntity", "assignments"))
    var assigned = [Int32](repeating: 0, count: counts.people)
    for item in 1...counts.items where random.below(6) == 0 {
      guard kind(ofItem: item) != ItemKind.note else { continue }
      let people = choose(1 + random.below(3)) { 1 + random.below(counts.people) }
      for (position, person) in people.reversed().enumerated() {
        statement.bind(item, at: 1)
        statement.bind(person, at: 2)
        statement.bind(2048 + 1024 * position, at: 3)
        statement.bind(2048 + 1024 * Int(assigned[person - 1]), at: 4)
        assigned[person - 1] += 1
        try statement.run()
      }
      joinCount += people.count
    }
  }

  /// Friends of people: the relationship is its own inverse; most pairs stand there both ways.
  func writeFriends() throws {
    let statement = try pairStatement("PersonEntity", "friends")
    for person in 1...counts.people where random.below(2) == 0 {
      let friends = choose(1 + random.below(5)) {
        let friend = person + 1 + random.below(40)
        return friend <= counts.people ? friend : nil
      }
      for friend in friends {
        statement.bind(person, at: 1)
        statement.bind(friend, at: 2)
        try statement.run()
        joinCount += 1
        guard random.below(5) > 0 else { continue }
        statement.bind(friend, at: 1)
        statement.bind(person, at: 2)
        try statement.run()
        joinCount += 1
      }
    }
  }

  /// Links from notes to others: ordered on one side.
  func writeLinks() throws {
    let statement = try pairStatement("NoteEntity", "links")
    for item in 1...counts.items where random.below(20) == 0 {
      guard kind(ofItem: item) == ItemKind.note else { continue }
      let targets = choose(1 + random.below(3)) {
        let target = 1 + random.below(item)
        return kind(ofItem: target) == ItemKind.note ? target : nil
      }
      for (position, target) in targets.reversed().enumerated() {
        statement.bind(item, at: 1)
        statement.bind(target, at: 2)
        statement.bind(2048 + 1024 * position, at: 3)
        try statement.run()
      }
      joinCount += targets.count
    }
  }
}
