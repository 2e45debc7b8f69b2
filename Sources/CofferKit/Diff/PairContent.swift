internal import CoreDataArchive
internal import CoreDataModel

/// A pair of a many-to-many relationship with all that its row says.
struct PairContent: Hashable {
  var source: KeyValue
  var destination: KeyValue
  /// The rest of the row as text: the places of both in the order of the other.
  var rest: [UInt8]

  /// Reads a line of pairs, which may name the two the other way round.
  init(_ line: JSONValue, isSwapped: Bool) {
    var members: [JSONObject.Member] = []
    if case .object(let object) = line { members = object.members }
    members.removeAll { $0.key == "$row" }
    if isSwapped {
      members = members.map { .init(key: Self.swappedName($0.key), value: $0.value) }
    }
    let object = JSONObject(members)
    source = KeyValue(object["source"])
    destination = KeyValue(object["destination"])
    members.removeAll { $0.key == "source" || $0.key == "destination" }
    members.sort { codeUnitsAscend($0.key, $1.key) }
    rest = members.isEmpty ? [] : JSONValue.object(JSONObject(members)).bytes(layout: .compact)
  }

  /// What a member is called from the relationship's other end.
  static func swappedName(_ name: String) -> String {
    switch name {
    case "source": "destination"
    case "destination": "source"
    case "order": "inverseOrder"
    case "inverseOrder": "order"
    default: name
    }
  }
}
