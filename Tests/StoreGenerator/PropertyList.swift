package import CoreDataModel

/// Shorthands for the property lists of a store.
package enum PropertyList {
  /// A dictionary of keys and values in order.
  package static func dictionary(
    _ pairs: KeyValuePairs<String, PropertyListValue>
  ) -> PropertyListValue {
    .dictionary(pairs.map { PropertyListValue.Entry($0.key, $0.value) })
  }

  /// A keyed archive of a dictionary with text keys: what transformable attributes hold by default.
  package static func archivedDictionary(
    _ pairs: KeyValuePairs<String, PropertyListValue>
  ) -> [UInt8] {
    let count = pairs.count
    func references(from first: Int) -> PropertyListValue {
      .array((first..<first + count).map { .uid(UInt64($0)) })
    }
    let top = dictionary([
      "NS.keys": references(from: 2), "NS.objects": references(from: 2 + count),
      "$class": .uid(UInt64(2 + 2 * count)),
    ])
    let type = dictionary([
      "$classname": .string("NSDictionary"),
      "$classes": .array([.string("NSDictionary"), .string("NSObject")]),
    ])
    let objects =
      [.string("$null"), top] + pairs.map { .string($0.key) } + pairs.map(\.value) + [type]
    return BinaryPlistWriter.write(
      dictionary([
        "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
        "$top": dictionary(["root": .uid(1)]), "$objects": .array(objects),
      ]))
  }
}
