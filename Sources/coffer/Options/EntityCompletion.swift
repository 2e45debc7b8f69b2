internal import ArgumentParser
internal import CofferKit
internal import Foundation

extension CompletionKind {
  /// The entities of the store or archive that the command line names.
  static var entity: CompletionKind { .names(EntityCompletion.candidates) }
  /// The properties of the entity that the command line names.
  static var property: CompletionKind { .names(EntityCompletion.properties) }
  /// The IDs of the backups in the vault that the command line names.
  static var backup: CompletionKind {
    .names { words, index, _ in backups(words, index).map(\.id) }
  }
  /// The names or IDs of the series in the vault that the command line names.
  static var series: CompletionKind {
    .names { words, index, _ in
      Set(backups(words, index).map { $0.series.name ?? $0.series.id }).sorted()
    }
  }

  /// Candidates from a file, without those that a shell does not take as they are: bash runs `$(…)` in them.
  private static func names(
    _ candidates: @escaping @Sendable ([String], Int, String) -> [String]
  ) -> CompletionKind {
    .custom { words, index, prefix in
      candidates(words, index, prefix).filter { name in
        name.unicodeScalars.allSatisfy {
          $0.properties.isAlphabetic || $0.properties.numericType != nil
            || "_-.,:/".unicodeScalars.contains($0)
        }
      }
    }
  }

  private static func backups(_ words: [String], _ index: Int) -> [Backup] {
    for (position, word) in words.enumerated().dropFirst() where position != index {
      let path = EntityCompletion.path(word)
      if FileManager.default.fileExists(atPath: path), (try? Vault.mayBe(at: path)) == true,
        let backups = try? Vault(path).backups(of: nil)
      {
        return backups
      }
    }
    return []
  }
}

/// The names of entities that a shell offers for the word under the cursor.
enum EntityCompletion {
  /// Looks for the first other word that is a file with a model, and lists its concrete entities.
  static func candidates(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    (model(words, index)?.entities ?? []).filter { !$0.isAbstract }.map(\.name).sorted()
      .map(\.text)
  }

  /// The properties of the entity among the words; in `name,ti`, the second one is being completed.
  static func properties(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    guard let model = model(words, index),
      let entity = model.entities.first(where: { words.map(plain).contains($0.name.text) })
    else { return [] }
    let typed = prefix.lastIndex(of: ",").map { String(prefix[...$0]) } ?? ""
    return (entity.attributes.map(\.name) + entity.relationships.map(\.name)).sorted().map {
      "\(typed)\($0)"
    }
  }

  private static func model(_ words: [String], _ index: Int) -> ManagedObjectModel? {
    for (position, word) in words.enumerated().dropFirst() where position != index {
      let path = path(word)
      guard FileManager.default.fileExists(atPath: path),
        let model = try? ModelLoader.loadOrInfer(from: path).model
      else { continue }
      return model
    }
    return nil
  }

  fileprivate static func path(_ word: String) -> String {
    NSString(string: plain(word)).expandingTildeInPath
  }

  /// A word without the quotes and backslashes of the shell.
  private static func plain(_ word: String) -> String {
    var result = ""
    var isEscaped = false
    for character in word {
      if !isEscaped, character == "\\" {
        isEscaped = true
      } else {
        if isEscaped || (character != "\"" && character != "'") { result.append(character) }
        isEscaped = false
      }
    }
    return result
  }
}
