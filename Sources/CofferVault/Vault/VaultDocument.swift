internal import CofferTables
internal import CoreDataArchive
internal import CoreDataModel

/// The description of a vault: `vault.json`.
struct VaultDocument: Sendable, Equatable {
  static let fileName = "vault.json"
  private static let (format, version) = ("coffer-vault", Int64(1))

  /// A random UUID that identifies the vault to local caches.
  var id: String
  /// When the vault was made.
  var created: String
  /// Whom all backups are encrypted to; empty if they are not encrypted.
  var recipients: [String]

  var bytes: [UInt8] {
    JSONValue.object([
      "format": .string(Self.format), "version": .integer(Self.version), "id": .string(id),
      "created": .string(created), "recipients": .array(recipients.map { .string($0) }),
    ]).bytes()
  }

  init(id: String, created: String, recipients: [String]) {
    self.id = id
    self.created = created
    self.recipients = recipients
  }

  /// Reads the document.
  init(_ bytes: [UInt8], path: String) throws(CofferError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(bytes)
    } catch {
      throw .notAVault(path, "its \(Self.fileName) is not JSON")
    }
    let node = DocumentNode(value, name: Self.fileName)
    let (format, version): (String, Int64)
    do throws(DocumentError) {
      format = try node.required("format").string()
      version = try node.required("version").integer()
    } catch {
      throw .notAVault(path, error)
    }
    guard format == Self.format else {
      throw .notAVault(path, "its \(Self.fileName) belongs to something else")
    }
    guard version <= Self.version else {
      throw CofferError(
        .newerFormat, path: path, detail: "the vault has a newer format than this program knows",
        advice: "Install a newer version of coffer.")
    }
    do throws(DocumentError) {
      id = try node.required("id").string()
      created = try node.required("created").string()
      recipients = try node.strings("recipients")
    } catch {
      throw .notAVault(path, error)
    }
  }
}

/// The description of a store by earlier versions: `STORE-UUID/store.json`.
struct VaultStoreDocument: Sendable, Equatable {
  static let fileName = "store.json"

  /// The name of the store's file when it was backed up first.
  var name: String

  /// Reads the document; nil if it is not one: no backup depends on it.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue.parse(bytes), case .string(let name)? = value["name"] else {
      return nil
    }
    self.name = name
  }
}

/// Where the store of a series is from a time on: `SERIES/source-1.json`, and another one after each move.
///
/// These documents never change. The first writer of the next number decides the place of the series, so that two
/// stores never continue one series.
struct VaultSourceDocument: Sendable, Equatable {
  /// The time of the first backup of the store at this place, at the earliest.
  var since: Instant
  var source: StoreSource

  static func fileName(_ number: Int) -> String { "source-\(number).json" }

  /// The number in a name; nil for any other file.
  static func number(of name: Substring) -> Int? {
    guard let number = Int(name.dropFirst(7).prefix { $0 != "." }), number > 0,
      name == fileName(number)
    else { return nil }
    return number
  }

  var bytes: [UInt8] {
    var members: JSONObject = ["since": .string(since.description)]
    for member in source.members.members { members.append(member.key, member.value) }
    return JSONValue.object(members).bytes()
  }

  init(since: Instant, source: StoreSource) { (self.since, self.source) = (since, source) }

  /// Reads the document; nil if it is not one.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue.parse(bytes), case .string(let text)? = value["since"],
      let since = try? Instant(endOf: text), let source = StoreSource(value)
    else { return nil }
    (self.since, self.source) = (since, source)
  }
}

/// The backup of a series that was verified last: `SERIES/verified.json`.
struct VerifiedDocument: Sendable, Equatable {
  static let fileName = "verified.json"

  var id: String
  var time: String

  var bytes: [UInt8] { JSONValue.object(["id": .string(id), "time": .string(time)]).bytes() }

  init(id: String, time: String) { (self.id, self.time) = (id, time) }

  /// Reads the document; nil if it is not one.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue.parse(bytes), case .string(let id)? = value["id"],
      case .string(let time)? = value["time"]
    else { return nil }
    (self.id, self.time) = (id, time)
  }
}

extension CofferError {
  fileprivate static func notAVault(_ path: String, _ error: DocumentError) -> CofferError {
    notAVault(path, "\(error.path) in \(VaultDocument.fileName) is not \(error.expected)")
  }

  /// The error about a place that holds no vault.
  static func notAVault(_ path: String, _ detail: String) -> CofferError {
    CofferError(
      .notAVault, path: path, detail: detail,
      advice: "The first backup creates a vault, in a new or empty folder.")
  }
}
