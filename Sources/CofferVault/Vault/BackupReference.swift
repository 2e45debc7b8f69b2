package import CoreDataModel
internal import POSIX

/// A backup as people name it: `VAULT#ID`, `VAULT#latest`, `VAULT#STORE/latest`, `VAULT#STORE/ID`,
/// `VAULT@2026-11-20T12:00` or `VAULT#STORE@2026-11-20T12:00`.
package struct BackupReference: Sendable, Hashable {
  /// The vault.
  package let vault: String
  /// The selected backup.
  package let selection: BackupSelection

  /// Recognizes a reference.
  ///
  /// A text that is the path of an existing file is not a reference.
  ///
  /// - Returns: nil for anything except a reference to a backup of an existing vault.
  /// - Throws: ``CofferError``: `invalid-time`, or what the vault's place reports.
  package init?(_ text: String) throws(CofferError) {
    guard let mark = text.lastIndex(where: { $0 == "#" || $0 == "@" }),
      (try? FileNames.kind(of: text)) == .missing
    else { return nil }
    var first = text.lastIndex(of: "#") ?? mark
    // Before a time, the path of a vault may contain a # too.
    if first < mark, try !Self.isVault(text[..<first]) { first = mark }
    guard try Self.isVault(text[..<first]) else { return nil }
    let vault = String(text[..<first])
    let rest = String(text[text.index(after: first)...])
    self.vault = vault
    selection = try Self.selection(rest, isTime: text[first] == "@")
  }

  private static func isVault(_ text: Substring) throws(CofferError) -> Bool {
    if text.isEmpty { return false }
    return try Vault.mayBe(at: String(text))
  }

  /// Reads the text after `#` or `@`.
  private static func selection(
    _ text: String, isTime: Bool
  ) throws(CofferError) -> BackupSelection {
    if isTime { return BackupSelection(.until(try Instant(endOf: text))) }
    if let at = text.lastIndex(of: "@") {
      return BackupSelection(
        store: String(text[..<at]),
        .until(try Instant(endOf: String(text[text.index(after: at)...]))))
    }
    return BackupSelection(id: text)
  }
}

extension BackupSelection {
  /// Reads `ID`, `latest`, `STORE/ID` or `STORE/latest`.
  public init(id text: String) {
    let slash = text.lastIndex(of: "/")
    let id = slash.map { String(text[text.index(after: $0)...]) } ?? text
    self.init(
      store: slash.map { String(text[..<$0]) }, id == "latest" || id.isEmpty ? .latest : .id(id))
  }
}
