internal import CoreDataArchive
internal import CoreDataModel

/// A series of backups: those of one store at one place, or those that were given one name.
///
/// Copies of a store have its UUID, so that a UUID alone does not tell whose backups they are.
public struct BackupSeries: Sendable, Hashable, Comparable {
  /// What tells the series from all others of its vault: the name of its folder.
  ///
  /// `UUID-1a2b3c4d` for a store at a place, `UUID.NAME` for a name, and `UUID` for a series that an earlier
  /// version began.
  public let id: String

  /// The UUID of the store.
  public var storeUUID: String { String(id.prefix(Self.uuidLength)) }

  /// The name that was given to the series; nil if its place tells it from others.
  public var name: String? {
    suffix.first == "." ? String(suffix.dropFirst()) : nil
  }

  /// Whether the ID is a UUID alone, which also begins the IDs of other series.
  package var isPlain: Bool { suffix.isEmpty }

  private var suffix: Substring { id.dropFirst(Self.uuidLength) }
  private static let uuidLength = 36

  /// Recognizes the ID of a series; nil for any other text.
  public init?(id: String) {
    self.id = id
    guard UUIDText.bytes(String(id.prefix(Self.uuidLength))) != nil else { return nil }
    guard !suffix.isEmpty else { return }
    let rest = String(suffix.dropFirst())
    let isPlace = suffix.first == "-" && rest.utf8.count == 8
    guard
      isPlace && rest.utf8.allSatisfy({ Hexadecimal.value($0) != nil })
        || suffix.first == "." && Self.isName(rest)
    else { return nil }
  }

  /// The series with a name.
  init(storeUUID: String, name: String) { id = "\(storeUUID).\(name)" }

  /// The series of a store at a place.
  ///
  /// - Parameters:
  ///   - storeUUID: the UUID of the store.
  ///   - source: the place where the series begins.
  ///   - number: tells several series apart that began there.
  init(storeUUID: String, beginningAt source: StoreSource, number: Int) {
    let text = "\(source.host)\n\(source.path)\n\(number)"
    id = "\(storeUUID)-\(ContentHasher.digest(of: text).prefix(8))"
  }

  /// Whether a text can be the name of a series: 1 to 64 letters, digits, dots, hyphens and underscores, the
  /// first of which is a letter or a digit, all ASCII.
  public static func isName(_ text: String) -> Bool {
    guard (1...64).contains(text.utf8.count), let first = text.first, first != ".", first != "-",
      first != "_"
    else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  /// Whether the ID of a series comes before that of another.
  public static func < (one: Self, other: Self) -> Bool {
    one.id.utf8.lexicographicallyPrecedes(other.id.utf8)
  }
}
