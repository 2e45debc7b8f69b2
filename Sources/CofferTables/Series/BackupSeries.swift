internal import CoreDataArchive
internal import CoreDataModel

/// A series of backups: of one store at one place, or with one name.
///
/// Copies of a store share its UUID, so a UUID alone does not identify the store of a backup.
public struct BackupSeries: Sendable, Hashable, Comparable {
  /// The identity of the series in its vault: the name of its folder.
  ///
  /// `UUID-1a2b3c4d` for a store at a place, `UUID.NAME` for a name, and `UUID` for a series started by an
  /// earlier version.
  public let id: String

  /// The UUID of the store.
  public var storeUUID: String { String(id.prefix(Self.uuidLength)) }

  /// The given name of the series; nil if its place identifies it.
  public var name: String? {
    suffix.first == "." ? String(suffix.dropFirst()) : nil
  }

  /// Whether the ID is only a UUID, which is also a prefix of the IDs of other series.
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

  init(storeUUID: String, name: String) { id = "\(storeUUID).\(name)" }

  /// The series of a store at a place.
  ///
  /// The number distinguishes several series that started there.
  init(storeUUID: String, beginningAt source: StoreSource, number: Int) {
    let text = "\(source.host)\n\(source.path)\n\(number)"
    id = "\(storeUUID)-\(ContentHasher.digest(of: text).prefix(8))"
  }

  /// Whether a text can be the name of a series: 1 to 64 ASCII letters, digits, dots, hyphens and
  /// underscores, beginning with a letter or a digit.
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

  /// Whether the ID of a series comes before another series' ID.
  public static func < (one: Self, other: Self) -> Bool {
    one.id.utf8.lexicographicallyPrecedes(other.id.utf8)
  }
}
