extension JSONValue {
  /// The places where two canonical models differ, property by property.
  func differences(from expected: JSONValue) -> [String] {
    let found = self
    var places: [String] = []
    for key in Set(found.keys + expected.keys).sorted() where key != "entities" {
      if found[key] != expected[key] { places.append(key) }
    }
    let (foundEntities, expectedEntities) = (
      found["entities"].elements, expected["entities"].elements
    )
    guard foundEntities.map({ $0["name"] }) == expectedEntities.map({ $0["name"] }) else {
      return places + ["entities"]
    }
    for (entity, other) in zip(foundEntities, expectedEntities) {
      let name = entity["name"].text
      for key in Set(entity.keys + other.keys).sorted() where key != "properties" {
        if entity[key] != other[key] {
          places.append("\(name): \(key): \(entity[key]) for \(other[key])")
        }
      }
      let (own, theirs) = (entity["properties"].elements, other["properties"].elements)
      if own.count != theirs.count { places.append("\(name): \(own.count) for \(theirs.count)") }
      for (property, counterpart) in zip(own, theirs) {
        for key in Set(property.keys + counterpart.keys).sorted()
        where property[key] != counterpart[key] {
          places.append(
            "\(name).\(property["name"].text): \(key): \(property[key]) for \(counterpart[key])")
        }
      }
    }
    return places
  }
}
