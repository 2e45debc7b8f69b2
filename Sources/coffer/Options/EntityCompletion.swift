internal import ArgumentParser
internal import CofferKit
internal import Foundation

extension CompletionKind {
  /// The entities of the store or archive that the command line names.
  static var entity: CompletionKind { .custom(EntityCompletion.candidates) }
}

/// The names of entities that a shell offers for the word that is being typed.
enum EntityCompletion {
  /// Looks for the first word that is a file with a model.
  ///
  /// - Parameters:
  ///   - words: the words of the command line, as typed.
  ///   - index: the position of the word that is being typed, which is not read as a file.
  ///   - prefix: what is typed of it already; the shell compares.
  /// - Returns: its concrete entities; none if no word is such a file.
  static func candidates(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    for (position, word) in words.enumerated().dropFirst() where position != index {
      let path = NSString(string: plain(word)).expandingTildeInPath
      guard FileManager.default.fileExists(atPath: path),
        let model = try? ModelLoader.loadOrInfer(from: path).model
      else { continue }
      return model.entities.filter { !$0.isAbstract }.map(\.name).sorted()
    }
    return []
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
