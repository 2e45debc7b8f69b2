internal import CoreDataModel

/// One way to order the names of siblings that differ in underscores or digits.
struct SiblingOrder {
  /// The rank of an underscore.
  let underscore: UInt32
  /// Whether digits count as the number that they make.
  let isNumeric: Bool

  static let all = [false, true].flatMap { isNumeric in
    [UInt32(0x5f), 0x7b, 1].map { SiblingOrder(underscore: $0, isNumeric: isNumeric) }
  }

  /// The names of all entities in the order in which they are numbered.
  func order(of model: ManagedObjectModel) -> [String] {
    var ordered: [String] = []
    var seen: Set<ExactString> = []
    var open = Array(sorted(model.rootEntities.map(\.name)).reversed())
    while let name = open.popLast() {
      guard seen.insert(name).inserted else { continue }
      ordered.append(name)
      open += sorted(model.subentityNames(of: name)).reversed()
    }
    return ordered
  }

  private func sorted(_ names: [String]) -> [String] {
    names.map { (name: $0, key: key($0)) }.sorted { left, right in
      left.key == right.key
        ? codeUnitsAscend(left.name, right.name)
        : left.key.lexicographicallyPrecedes(right.key)
    }.map(\.name)
  }

  /// The compared form of a name.
  private func key(_ name: String) -> [UInt32] {
    var key: [UInt32] = []
    var number: UInt32?
    for byte in name.utf8 {
      if isNumeric, (0x30...0x39).contains(byte) {
        if number == nil { key.append(0x30) }
        number = (number ?? 0) &* 10 &+ UInt32(byte - 0x30)
        continue
      }
      if let value = number { key.append(value) }
      number = nil
      key.append(
        byte == 0x5f ? underscore : UInt32((0x41...0x5a).contains(byte) ? byte | 0x20 : byte))
    }
    if let value = number { key.append(value) }
    return key
  }
}
