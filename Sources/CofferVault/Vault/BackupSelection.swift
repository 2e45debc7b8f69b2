internal import CofferTables
package import CoreDataModel
public import Foundation

/// The selection of a backup in a vault.
public struct BackupSelection: Sendable, Hashable {
  /// The selection among a store's backups.
  package enum Choice: Sendable, Hashable {
    case latest
    /// The latest one until a time.
    case until(Instant)
    /// The one whose ID, or whose time as in the file's name, begins with this text.
    case id(String)
  }

  /// The store or its series: the name or the ID of the series, the UUID of the store or the beginning of
  /// the UUID, its path or `HOST:PATH`, or the name of its file, with or without extension; nil if the
  /// choice is unambiguous.
  public var store: String?
  /// The choice among its backups.
  package var choice: Choice

  /// Selects the latest backup; by default, of the only store.
  public init(store: String? = nil) { self.init(store: store, .latest) }

  /// Selects the latest backup that was made until a date.
  public init(store: String? = nil, until date: Date) {
    self.init(store: store, .until(Instant(date)))
  }

  /// Creates a selection from its parts.
  package init(store: String? = nil, _ choice: Choice) {
    self.store = store
    self.choice = choice
  }

  /// Finds the backup.
  func find(in all: [Backup], vault: String) throws(CofferError) -> Backup {
    var candidates = all
    if let store {
      candidates = Self.backups(of: store, in: all)
      guard !candidates.isEmpty else {
        throw Self.none(vault, "it has no backup of a store '\(store)'", all)
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
        advice: "Give more characters of it.")
    }
    guard Set(candidates.map(\.series)).count <= 1 else {
      guard case .until(let time) = choice else { throw Self.ambiguous(vault, candidates) }
      throw Self.ambiguous(vault, candidates, until: time)
    }
    if case .until(let time) = choice {
      candidates = candidates.filter { $0.moment <= time }
      if candidates.isEmpty, let first = all.map(\.moment).min() {
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

  /// The backups of the store or the series that a text names; empty if there is none.
  ///
  /// A name that was given to a series, or its whole ID, comes before everything else that it may mean.
  static func backups(of text: String, in all: [Backup]) -> [Backup] {
    let meant = all.filter {
      $0.series.name == text || !$0.series.isPlain && $0.series.id.lowercased() == text.lowercased()
    }
    return meant.isEmpty ? all.filter { $0.belongs(to: text) } : meant
  }

  /// The error about a choice between several series, for the latest backup or one at a time.
  static func ambiguous(
    _ vault: String, _ candidates: [Backup], until time: Instant? = nil
  ) -> CofferError {
    let texts = Set(candidates.map(\.seriesText)).sorted()
    let list = texts.prefix(maxListed).joined(separator: "; ")
    let others = texts.count > maxListed ? "; and \(texts.count - maxListed) more" : ""
    let names = Set(candidates.map { $0.series.name ?? $0.series.id }).sorted()
    let example = names.first.map { name in
      ", as in \(vault)#\(name)" + (time.map { "@\($0)" } ?? "/latest")
    }
    return CofferError(
      .noSuchBackup, path: vault,
      detail: "it has backups of \(texts.count) series: \(list)\(others)",
      advice: .sentence(
        "Name one\(example ?? " by its name, its ID or its path"): "
          + names.prefix(maxListed).joined(separator: ", ")))
  }

  private static func none(_ vault: String, _ detail: String, _ all: [Backup]) -> CofferError {
    let names = Set(all.map { $0.storeName ?? $0.storeUUID }).sorted()
    let list = names.prefix(maxListed).joined(separator: ", ")
    let others = names.count > maxListed ? " and \(names.count - maxListed) more" : ""
    return CofferError(
      .noSuchBackup, path: vault, detail: detail,
      advice: "It has backups of \(list)\(others).")
  }

  /// The maximum number of stores or series in an error.
  private static let maxListed = 5
}

extension Backup {
  /// Whether a text names the store: its UUID or the ID of its series, or the beginning of it, its place, or
  /// the name of its file.
  func belongs(to store: String) -> Bool {
    if let storeName, storeName == store || Self.stem(of: storeName) == store { return true }
    if let place = latestSource {
      if place.path == store || place.description == store { return true }
      if store.contains("/"), place.path.hasSuffix("/\(store)") { return true }
    }
    return store.utf8.count >= 4 && series.id.lowercased().hasPrefix(store.lowercased())
  }

  /// The series as messages name it: its name or ID, and where its store was last.
  var seriesText: String {
    let place = latestSource?.description ?? storeName
    return "\(series.name ?? series.id)\(place.map { " (\($0))" } ?? "")"
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
