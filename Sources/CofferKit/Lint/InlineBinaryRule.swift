internal import CoreDataModel

/// Binary attributes that are stored in rows, whatever their size.
enum InlineBinaryRule: ModelRule {
  static let code = ModelRuleCode(
    text: "binary-without-external-storage", severity: .warning,
    meaning: """
      A binary attribute without external storage keeps large values in the table, where every fetch \
      of the object reads them.
      """,
    remedy: """
      Allow external storage, or move the attribute to an entity of its own, if values of more than \
      some 100 kB can occur.
      """)

  /// Words in the names of attributes with small values.
  private static let small = [
    "hash", "digest", "checksum", "token", "key", "identifier", "uuid", "guid", "nonce", "salt",
    "signature", "fingerprint", "tag", "version", "color", "colour", "bookmark", "cursor",
  ]

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    attributes(of: model) { attribute in
      let name = attribute.name.lowercased()
      return attribute.type == .binary && !attribute.allowsExternalBinaryDataStorage
        && !small.contains { name.contains($0) } && !name.hasSuffix("id")
    }
  }
}
