internal import CoreDataModel

extension LargeStore {
  func writePeople() throws {
    let people = try TableInsert(builder, "PersonEntity")
    let settings = try TableInsert(builder, "SettingsEntity")
    let locales = ["en_US", "de_DE", "fr_FR", "ja_JP", "ru_RU", "ar_EG"].map(StoreValue.string)
    for key in 1...counts.people {
      // The settings stand in the opposite order, so that keys of both sides differ.
      try writePerson(people, key, settings: counts.people + 1 - key)
      let person = counts.people + 1 - key
      let statement = settings.statement
      settings.bind(key: key, entity: 8, version: version())
      statement.bind(person, at: try settings.parameter("SettingsEntity", "person"))
      statement.bind(
        locales[random.below(locales.count)], at: try settings.parameter("SettingsEntity", "locale")
      )
      uuid.makeUUID(&random)
      unsafe statement.bind(
        lentBlob: uuid.value, at: try settings.parameter("SettingsEntity", "uuid"))
      if random.below(10) > 0 {
        statement.bind(
          Double(Float(random.unit())), at: try settings.parameter("SettingsEntity", "volume"))
      }
      try statement.run()
    }
  }

  private func writePerson(_ insert: TableInsert, _ key: Int, settings: Int) throws {
    let statement = insert.statement
    insert.bind(key: key, entity: 7, version: version())
    statement.bind(
      random.below(10) > 0 ? 1 : 0, at: try insert.parameter("PersonEntity", "isActive"))
    statement.bind(settings, at: try insert.parameter("PersonEntity", "settings"))
    if random.below(5) < 3 {
      let birthday = (-1.5e9 + random.unit() * 1.8e9).rounded()
      statement.bind(birthday, at: try insert.parameter("PersonEntity", "birthday"))
    }
    let balance = Double(random.below(2_500_000) - 500_000) / 100
    statement.bind(balance, at: try insert.parameter("PersonEntity", "balance"))
    if random.below(10) > 0 {
      statement.bind(
        .string("user\(key)@example.org"), at: try insert.parameter("PersonEntity", "email"))
    }
    let given = Language.givenNames[random.below(Language.givenNames.count)]
    let family = Language.familyNames[random.below(Language.familyNames.count)]
    statement.bind(
      .string("\(given) \(family)"), at: try insert.parameter("PersonEntity", "name"))
    if options.blobs != .none, random.below(10) == 0 {
      let size = 200 + random.below(3000)
      unsafe statement.bind(
        lentBlob: blobs.take(size, &random), at: try insert.parameter("PersonEntity", "avatar"))
    }
    try statement.run()
  }

  func writeTags() throws {
    let insert = try TableInsert(builder, "TagEntity")
    let color = try insert.parameter("TagEntity", "color")
    let name = try insert.parameter("TagEntity", "name")
    for key in 1...counts.tags {
      insert.bind(key: key, entity: 9, version: 1)
      insert.statement.bind(random.below(1 << 24), at: color)
      scratch.begin()
      unsafe scratch.append(text.take(3 + random.below(12), &random))
      scratch.append(" #")
      scratch.append(key)
      unsafe insert.statement.bind(lentText: scratch.value, at: name)
      try insert.statement.run()
    }
  }

  func writeLocations() throws {
    let insert = try TableInsert(builder, "LocationEntity")
    func parameter(_ path: Name) throws -> Int { try insert.parameter("LocationEntity", path) }
    let name = try parameter("name")
    let radius = try parameter("radius")
    let count = try parameter("todoCount")
    let latitude = try parameter("place.latitude")
    let longitude = try parameter("place.longitude")
    let street = try parameter("place.address.street")
    let city = try parameter("place.address.city")
    let number = try parameter("place.address.number")
    for key in 1...counts.locations {
      let statement = insert.statement
      insert.bind(key: key, entity: 6, version: version())
      unsafe statement.bind(lentText: self.name(ofLocation: key), at: name)
      statement.bind(Double(10 + random.below(500)), at: radius)
      statement.bind(Int(todoCounts[key - 1]), at: count)
      if random.below(10) > 0 {
        statement.bind(random.unit() * 180 - 90, at: latitude)
        statement.bind(random.unit() * 360 - 180, at: longitude)
      }
      if random.below(2) == 0 {
        unsafe statement.bind(lentText: text.take(14, &random), at: street)
        unsafe statement.bind(lentText: text.take(8, &random), at: city)
        statement.bind(1 + random.below(200), at: number)
      }
      try statement.run()
    }
  }

  /// The visits of locations: ordered, without a way back in the model.
  func writeVisits() throws {
    guard counts.visits > 0 else { return }
    let insert = try TableInsert(builder, "VisitEntity")
    let owned = builder.schema.ownerColumn("LocationEntity", "visits")
    let owner = try insert.parameter(ofColumn: owned?.column, "visits")
    let order = try insert.parameter(ofColumn: owned?.orderColumn, "the order of visits")
    let arrival = try insert.parameter("VisitEntity", "arrival")
    let departure = try insert.parameter("VisitEntity", "departure")
    var location = 1
    var position = 0
    for key in 1...counts.visits {
      insert.bind(key: key, entity: 10, version: 1)
      if location <= counts.locations {
        insert.statement.bind(location, at: owner)
        insert.statement.bind(2048 + 1024 * position, at: order)
      }
      let time = date()
      insert.statement.bind(time, at: arrival)
      if random.below(8) > 0 { insert.statement.bind(time + random.unit() * 7200, at: departure) }
      try insert.statement.run()
      position += 1
      if random.below(5) < 2 {
        location += 1
        position = 0
      }
    }
  }
}
