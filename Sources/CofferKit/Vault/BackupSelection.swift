internal import CoreDataModel

/// Which backup of a vault is meant.
public struct BackupSelection: Sendable, Hashable {
  /// Which of a store's backups.
  public enum Choice: Sendable, Hashable {
    /// The latest one.
    case latest
    /// The latest one until a time.
    case until(BackupTime)
    /// The one whose ID, or whose time as in the file's name, begins with this text.
    case id(String)
  }

  /// The store: its UUID or the beginning of it, or the name of its file, with ending or without; nil
  /// where the choice leaves no doubt.
  public var store: String?
  /// Which of its backups.
  public var choice: Choice

  /// Creates a selection; by default, the latest backup of the only store.
  public init(store: String? = nil, _ choice: Choice = .latest) {
    self.store = store
    self.choice = choice
  }

  /// Finds the backup.
  ///
  /// - Throws: ``CofferError`` with `no-such-backup`.
  func find(in all: [Backup], vault: String) throws(CofferError) -> Backup {
    var candidates = all
    if let store {
      candidates = all.filter { $0.belongs(to: store) }
      guard !candidates.isEmpty else {
        throw ambiguous(vault, "it has no backup of a store '\(store)'", all)
      }
    }
    if case .id(let text) = choice {
      candidates = candidates.filter { $0.isNamed(text) }
      guard let found = candidates.first else {
        throw CofferError(
          .noSuchBackup, path: vault, detail: "it has no backup '\(text)'",
          advice: .listBackups(vault))
      }
      if candidates.count == 1 { return found }
      throw CofferError(
        .noSuchBackup, path: vault,
        detail: "\(candidates.count) backups have an ID or a time that begins with '\(text)'",
        advice: "Give more of it.")
    }
    let uuids = Set(candidates.map(\.storeUUID))
    guard uuids.count <= 1 else {
      let name = store.map { " named '\($0)'" } ?? ""
      throw ambiguous(vault, "it has backups of \(uuids.count) stores\(name)", candidates)
    }
    if case .until(let time) = choice {
      candidates = candidates.filter { $0.time <= time }
      if candidates.isEmpty, let first = all.map(\.time).min() {
        throw CofferError(
          .noSuchBackup, path: vault, detail: "it has no backup from \(time) or before",
          advice: "The oldest backup is from \(first).")
      }
    }
    guard let found = candidates.max(by: { $0.name.stem < $1.name.stem }) else {
      throw CofferError(.noSuchBackup, path: vault, detail: "it has no backup")
    }
    return found
  }

  /// The error where one store has to be named: by its UUID where several have its name, or the name was given.
  private func ambiguous(_ vault: String, _ detail: String, _ all: [Backup]) -> CofferError {
    var uuids: [String: Set<String>] = [:]
    for backup in all {
      uuids[backup.storeName ?? backup.storeUUID, default: []].insert(backup.storeUUID)
    }
    let names = uuids.flatMap { name, uuids in
      uuids.count == 1 && store != name ? [name] : Array(uuids)
    }
    .sorted()
    let more = names.count > 5 ? " and \(names.count - 5) more" : ""
    let list = names.prefix(5).joined(separator: ", ") + more
    var advice: CofferError.Advice = "Name one by its UUID or its name: \(list)"
    if case .until(let time) = choice, let first = names.first {
      advice = "Name one, as in \(vault)#\(first)@\(time): \(list)"
    }
    return CofferError(.noSuchBackup, path: vault, detail: detail, advice: advice)
  }
}

extension Backup {
  /// Whether a text names the store: its UUID or the beginning of it, or the name of its file.
  func belongs(to store: String) -> Bool {
    if let storeName, storeName == store || Self.stem(of: storeName) == store { return true }
    return store.utf8.count >= 4 && storeUUID.hasPrefix(store.uppercased())
  }

  fileprivate func isNamed(_ text: String) -> Bool {
    let lower = text.lowercased()
    return text.utf8.count >= 4 && (id.hasPrefix(lower) || name.stem.hasPrefix(text))
  }

  private static func stem(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}
