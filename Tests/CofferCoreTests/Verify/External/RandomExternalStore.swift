internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport

/// A store with random values and external files, and their defects by rules that are as plain as
/// possible.
struct RandomExternalStore {
  /// What a value is.
  enum Value {
    case null
    case inline
    case file(String)
    case invalid([UInt8])
  }

  /// One object with its two values.
  struct Photo {
    var entity: Name
    var values: [Value]
  }

  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Photo", className: nil,
        attributes: [
          .init(name: "image", type: .transformable, allowsExternalBinaryDataStorage: true),
          .init(name: "notes", type: .binary),
          .init(name: "preview", type: .binary, allowsExternalBinaryDataStorage: true),
        ]),
      EntityDescription(name: "Portrait", className: nil, superentityName: "Photo"),
    ], source: .modelCache)
  /// The attributes that may have files, in the order of their columns.
  static let attributes: [Name] = ["image", "preview"]

  var photos: [Photo] = []
  /// The files of the folder with their sizes.
  var files: [String: Int] = [:]

  /// Throws the dice.
  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Several names have the same upper half, and some have the highest bit.
    let names = (0..<24).map { number in
      let upper = ["00000000-0000-4000", "FFFFFFFF-0000-4000", "80000000-1234-4ABC"][number % 3]
      let lower = ["8000", "0000", "FFFF"][number / 3 % 3]
      return "\(upper)-\(lower)-\(String(repeating: String(number % 8), count: 12))"
    }
    for name in names where random.chance(0.6) {
      files[name] = random.chance(0.2) ? 0 : 1 + random.below(9)
    }
    for name in ["junk", names[0].lowercased() + "x", "deep/\(names[1])"] {
      if random.chance(0.5) { files[name] = 3 }
    }
    for _ in 0..<15 {
      let values: [Value] = (0..<2).map { _ in
        switch random.below(6) {
        case 0: return .null
        case 1: return .inline
        case 2:
          let invalid: [[UInt8]] = [
            [], [2], [0], [3, 1], [2] + Array("nothing".utf8),
            [2] + Array(names[1].lowercased().utf8) + [0], [2] + Array(names[1].utf8),
            [2] + Array(names[2].utf8) + [0, 0],
          ]
          return .invalid(invalid[random.below(invalid.count)])
        default: return .file(names[random.below(names.count)])
        }
      }
      photos.append(Photo(entity: random.chance(0.5) ? "Photo" : "Portrait", values: values))
    }
  }

  /// Writes the store and its files.
  func write(to path: String) throws {
    let builder = try SampleStoreBuilder(path: path, model: Self.model)
    for photo in photos {
      // The bytes of an attribute that has no files are not looked at.
      var values: [Name: StoreValue] = ["notes": .blob([7])]
      for (name, value) in zip(Self.attributes, photo.values) {
        switch value {
        case .null: break
        case .inline: values[name] = .inline([2, 7])
        case .file(let file): values[name] = .external(file)
        case .invalid(let bytes): values[name] = .blob(bytes)
        }
      }
      try builder.insert(photo.entity, values)
    }
    try builder.finish()
    for (name, size) in files {
      let url = URL(fileURLWithPath: "\(builder.files.externalDataFolder)/\(name)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(count: size).write(to: url)
    }
    // Files next to the folder belong to no store.
    if !files.isEmpty {
      try Data().write(to: URL(fileURLWithPath: "\(builder.files.supportFolder)/loose"))
    }
  }

  /// The findings, each with the name of the file, in the order of their texts.
  var expected: [String] {
    var found: [String] = []
    var uses: [String: Int] = [:]
    for (index, attribute) in Self.attributes.enumerated() {
      for (number, photo) in photos.enumerated() {
        let place = "\(photo.entity)/p\(number + 1).\(attribute)"
        switch photo.values[index] {
        case .null, .inline: break
        case .invalid: found.append("error invalid-external-marker \(place)")
        case .file(let name):
          uses[name, default: 0] += 1
          if files[name] == nil {
            found.append("error missing-external-data \(place) \(name)")
          } else if uses[name] != 1 {
            found.append("error shared-external-data \(place) \(name)")
          } else if files[name] == 0 {
            found.append("error empty-external-data \(place) \(name)")
          }
        }
      }
    }
    for name in files.keys where uses[name] == nil {
      found.append("warning orphaned-external-data \(name)")
    }
    return found.sorted()
  }
}
