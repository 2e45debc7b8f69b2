/// In which of its two forms a file is encrypted, as its first bytes tell.
package enum AgeFileForm: Sendable, Equatable {
  /// As the format defines it.
  case binary
  /// The same as lines of letters, for mails.
  case armored

  /// How many bytes are needed to tell.
  package static let prefixSize = AgeHeader.armor.utf8.count

  /// Recognizes the first bytes of a file; nil for a file that is not encrypted.
  ///
  /// - Parameter bytes: ``prefixSize`` of them, or all that there are; four must be there.
  package init?(_ bytes: some Collection<UInt8>) {
    func begins(_ text: String) -> Bool {
      bytes.count >= 4 && bytes.prefix(text.utf8.count).elementsEqual(text.utf8.prefix(bytes.count))
    }
    if begins(AgeHeader.family) {
      self = .binary
    } else if bytes.count >= Self.prefixSize, begins(AgeHeader.armor) {
      self = .armored
    } else {
      return nil
    }
  }
}
