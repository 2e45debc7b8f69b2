internal import Foundation
internal import StoreGenerator
internal import TestSupport

extension RandomDamage {
  /// Damages to files of external binary data.
  static let files = [
    RandomDamage("external file removed") { workshop in
      guard let file = workshop.externalFile() else { return nil }
      try FileManager.default.removeItem(atPath: file)
      return Expectation(code: "missing-external-data", object: nil)
    },
    RandomDamage("external file emptied") { workshop in
      guard let file = workshop.externalFile() else { return nil }
      try Data().write(to: URL(fileURLWithPath: file))
      return Expectation(code: "empty-external-data", object: nil)
    },
    RandomDamage("external file doubled") { workshop in
      guard let file = workshop.externalFile() else { return nil }
      let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
      let name = UUID(
        uuidString:
          "0A0B0C0D-0E0F-4A4B-8C8D-\(String(format: "%012X", workshop.random.below(1 << 40)))")
      try FileManager.default.copyItem(
        atPath: file, toPath: "\(folder)/\(name?.uuidString ?? "none")")
      return Expectation(code: "orphaned-external-data", object: nil)
    },
  ]
}

extension DamageWorkshop {
  /// One of the files of external binary data; nil if there are none.
  mutating func externalFile() -> String? {
    let folder = StoreFiles(path).supportFolder + "/_EXTERNAL_DATA"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return pick(names.sorted()).map { "\(folder)/\($0)" }
  }
}
